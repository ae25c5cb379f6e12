import { Group, Stack } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { Page } from "@/parts/Page.tsx";
import { Loaded } from "@/parts/States.tsx";
import { Simulated, Status } from "@/parts/Status.tsx";
import { Actions } from "./Actions.tsx";
import { Body } from "./Body.tsx";
import { experimentView, trialView } from "./queries.ts";
import { TrialDrawer } from "./TrialDrawer.tsx";
import { TrialPanel } from "./TrialPanel.tsx";
import type { Place, View } from "./view.ts";

/** An experiment of either kind, as it is now. */
export function ExperimentPage({
  kind,
  identity,
  chosen,
  choose,
}: {
  kind: View["kind"];
  identity: string;
  chosen: Place | null;
  choose: (place: Place | null) => void;
}) {
  const { t } = useTranslation();
  const [page, turn] = useState(1);
  const query = useQuery({
    ...experimentView(kind, identity, page),
    placeholderData: keepPreviousData,
  });
  const view = query.data;
  return (
    <Page
      title={view?.name ?? t("experiment.title")}
      about={
        view && (
          <Group component="span" gap="xs" mt={4} display="inline-flex">
            <Status
              status={view.status === "interrupted" ? (view.control ?? view.status) : view.status}
            />
            {view.simulated && <Simulated />}
            <span>{t(`experiment.kinds.${view.kind}`)}</span>
            {view.description && <span>{view.description}</span>}
          </Group>
        )
      }
      actions={view && <Actions view={view} />}
    >
      <Loaded query={query} rows={8}>
        {(found) => (
          <Stack gap="md">
            <Body
              view={found}
              chosen={chosen}
              choose={choose}
              paging={{ page, size: found.page_size, turn }}
            />
            <Chosen kind={kind} view={found} place={chosen} choose={choose} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Chosen({
  kind,
  view,
  place,
  choose,
}: {
  kind: View["kind"];
  view: View;
  place: Place | null;
  choose: (place: Place | null) => void;
}) {
  const query = useQuery({
    ...trialView(kind, view.id, place),
    enabled: place !== null,
  });
  const pick = useCallback(
    (attempt: number) => place && choose({ ...place, attempt }),
    [place, choose],
  );
  const row = view.legs[place?.leg ?? 0]?.cases.find(
    ({ id, set }) => id === place?.case && set === place.set,
  );
  return (
    <TrialDrawer
      title={query.data?.case_name ?? row?.name ?? ""}
      isOpen={place !== null}
      close={() => choose(null)}
    >
      {place && (
        <Loaded query={query}>{(trial) => <TrialPanel trial={trial} choose={pick} />}</Loaded>
      )}
    </TrialDrawer>
  );
}
