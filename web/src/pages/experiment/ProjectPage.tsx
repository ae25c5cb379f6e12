import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { ExperimentPage } from "./ExperimentPage.tsx";
import { chosenOf, placeOf } from "./place.ts";
import type { Place } from "./view.ts";

const HERE = "/experiments/projects/$identity";

export function ProjectPage() {
  const { identity } = useParams({ from: HERE });
  const search = useSearch({ from: HERE });
  const navigate = useNavigate({ from: HERE });
  const choose = useCallback(
    (place: Place | null) => void navigate({ search: chosenOf(place), resetScroll: false }),
    [navigate],
  );
  const chosen = useMemo(() => placeOf(search), [search]);
  return (
    <ExperimentPage
      key={identity}
      kind="project"
      identity={identity}
      chosen={chosen}
      choose={choose}
    />
  );
}
