import { Center, Container, Group, Stack, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { Page } from "@/parts/Page.tsx";
import { Simulated, Status } from "@/parts/Status.tsx";
import { ColourSwitch, LanguageSwitch } from "@/shell/Switches.tsx";
import { Body } from "./Body.tsx";
import { TrialDrawer } from "./TrialDrawer.tsx";
import { TrialPanel } from "./TrialPanel.tsx";
import { type Place, placeName, type ReportData, type View } from "./view.ts";

const SIZE = 100;

/** An experiment in a file of its own: nothing is asked of anybody. */
export function Report({ report }: { report: ReportData | null }) {
  const { t } = useTranslation();
  if (report === null) {
    return (
      <Center mih="60vh">
        <Text>{t("experiment.report.nothing")}</Text>
      </Center>
    );
  }
  return <Shown report={report} />;
}

/** One page of the cases; all of them are here. */
function pageOf(view: View, page: number): View {
  const [first, end] = [(page - 1) * SIZE, page * SIZE];
  return {
    ...view,
    legs: view.legs.map((leg) => ({ ...leg, cases: leg.cases.slice(first, end) })),
  };
}

function Shown({ report }: { report: ReportData }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [place, choose] = useState<Place | null>(null);
  const [page, turn] = useState(1);
  const trials = useMemo(
    () => new Map(report.trials.map((trial) => [placeName(trial), trial])),
    [report],
  );
  const view = useMemo(() => pageOf(report.view, page), [report, page]);
  const trial = place ? trials.get(placeName(place)) : undefined;
  return (
    <Container component="main" size={1280} py="lg">
      <Page
        title={view.name}
        about={
          <Group component="span" gap="xs" mt={4} display="inline-flex">
            <Status status={view.status} />
            {view.simulated && <Simulated />}
            <span>{t(`experiment.kinds.${view.kind}`)}</span>
          </Group>
        }
        actions={
          <>
            <LanguageSwitch />
            <ColourSwitch />
          </>
        }
      >
        <Stack gap="md">
          <Body view={view} chosen={place} choose={choose} paging={{ page, size: SIZE, turn }} />
          <Text size="xs" c="dimmed">
            {t("experiment.report.made", {
              version: report.version,
              moment: format.moment(report.generated_at),
            })}
            {report.left_out > 0 &&
              ` ${t("experiment.report.leftOut", { count: report.left_out })}`}
          </Text>
        </Stack>
        <TrialDrawer
          title={trial?.case_name ?? place?.case ?? ""}
          isOpen={place !== null}
          close={() => choose(null)}
        >
          {trial && place ? (
            <TrialPanel trial={trial} choose={(attempt) => choose({ ...place, attempt })} />
          ) : (
            <Text c="dimmed">{t("experiment.trial.notInReport")}</Text>
          )}
        </TrialDrawer>
      </Page>
    </Container>
  );
}
