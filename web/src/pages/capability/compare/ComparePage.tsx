import { Card, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { PageLink } from "@/parts/Links.tsx";
import { Notice } from "@/parts/Notice.tsx";
import { Page } from "@/parts/Page.tsx";
import { Empty, Loaded } from "@/parts/States.tsx";
import { comparison, stability } from "../queries.ts";
import { Titled } from "../Titled.tsx";
import { ComparedRuns } from "./ComparedRuns.tsx";
import { type Comparison, type Difference, namesOf } from "./compared.ts";
import { DifferenceTable } from "./DifferenceTable.tsx";
import { Flips } from "./Flips.tsx";
import { Others } from "./Others.tsx";
import { Profiles } from "./Profiles.tsx";
import { StabilityView, UnstableCases } from "./StabilityView.tsx";

/** Runs side by side; the first is the reference. */
export function ComparePage() {
  const { t } = useTranslation();
  const { runs } = useSearch({ from: "/capability/compare" });
  const ids = [...new Set(runs.split(",").filter(Boolean))];
  const query = useQuery(comparison(ids));
  const alike = useQuery(stability(ids));
  return (
    <Page title={t("capability.compare.title")} about={t("capability.compare.about")}>
      <PageLink to="/capability" size="sm">
        <Group gap={4} component="span">
          <IconArrowLeft size={14} aria-hidden />
          {t("capability.run.back")}
        </Group>
      </PageLink>
      {ids.length < 2 ? (
        <Empty title={t("capability.compare.tooFew")} hint={t("capability.compare.tooFewHint")}>
          <PageLink to="/capability">{t("capability.compare.toHistory")}</PageLink>
        </Empty>
      ) : (
        <>
          <Loaded query={query} rows={8}>
            {(found) => (
              <Compared found={found}>
                <Loaded query={alike}>{(same) => <StabilityView found={same} />}</Loaded>
              </Compared>
            )}
          </Loaded>
          {/* Two runs are compared case by case already. */}
          {ids.length > 2 && alike.data && alike.data.unstable.length > 0 && (
            <Card padding="lg" component="section">
              <UnstableCases found={alike.data} />
            </Card>
          )}
        </>
      )}
    </Page>
  );
}

function Compared({ found, children }: { found: Comparison; children: ReactNode }) {
  const { t } = useTranslation();
  const names = namesOf(found.runs);
  return (
    <Stack gap="lg">
      <ComparedRuns runs={found.runs} names={names} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Profiles runs={found.runs} names={names} />
        <Card padding="lg" component="section">
          <Titled title={t("capability.stability.title")}>{children}</Titled>
        </Card>
      </SimpleGrid>
      {found.differences.map((difference) => (
        <Against key={difference.run_id} difference={difference} names={names} />
      ))}
    </Stack>
  );
}

function Against({
  difference,
  names,
}: {
  difference: Difference;
  names: ReadonlyMap<string, string>;
}) {
  const { t } = useTranslation();
  const run = names.get(difference.run_id) ?? difference.run_id;
  const reference = names.get(difference.reference_id) ?? difference.reference_id;
  return (
    <Card padding="lg" component="section">
      <Titled title={t("capability.compare.against", { run, reference })}>
        <Stack gap="lg">
          {difference.warnings.length > 0 && (
            <Notice tone="warn" title={t("capability.compare.warnings")}>
              {difference.warnings.map((warning) => (
                <Text key={warning} size="sm" lang="en">
                  {warning}
                </Text>
              ))}
            </Notice>
          )}
          <DifferenceTable difference={difference} />
          <Flips difference={difference} run={run} reference={reference} />
          <Others difference={difference} />
        </Stack>
      </Titled>
    </Card>
  );
}
