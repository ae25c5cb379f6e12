import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { ExperimentPage } from "./ExperimentPage.tsx";
import { chosenOf, placeOf } from "./place.ts";
import type { Place } from "./view.ts";

const ADDRESSES = {
  project: "/experiments/projects/$identity",
  eval: "/experiments/evals/$identity",
} as const;

export const ProjectPage = () => <Addressed kind="project" />;
export const EvalPage = () => <Addressed kind="eval" />;

/** The experiment and the trial that the address names. */
function Addressed({ kind }: { kind: keyof typeof ADDRESSES }) {
  const from = ADDRESSES[kind];
  const { identity } = useParams({ from });
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const choose = useCallback(
    (place: Place | null) => void navigate({ search: chosenOf(place), resetScroll: false }),
    [navigate],
  );
  const chosen = useMemo(() => placeOf(search), [search]);
  return (
    <ExperimentPage
      key={identity}
      kind={kind}
      identity={identity}
      chosen={chosen}
      choose={choose}
    />
  );
}
