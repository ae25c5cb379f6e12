import { SimpleGrid, Stack, Table, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Shape } from "@/api/client.ts";
import { useFormat } from "@/format.ts";
import { Fact } from "@/parts/Fact.tsx";
import { ItemTag } from "../ItemTag.tsx";
import { namesOf } from "./compared.ts";

type Stability = Shape<"Stability">;

const MOST_SHOWN = 100;

/** Which cases come to the same in every run, and how far the totals go. */
export function StabilityView({ found }: { found: Stability }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { total, left_out } = found;
  const { low, high, mean } = total.score;
  const none = t("numbers.none");
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed">
        {t("capability.stability.about")}
      </Text>
      <SimpleGrid cols={2} spacing="lg">
        <Fact
          name={t("capability.stability.agreement")}
          hint={t("capability.stability.agreementHint")}
        >
          {total.agreement === null ? none : format.percent(total.agreement, 1)}
        </Fact>
        <Fact
          name={t("capability.stability.flips")}
          hint={t("capability.stability.ofCases", { count: total.cases })}
        >
          {format.count(total.flips)}
        </Fact>
        <Fact
          name={t("capability.stability.sameScore")}
          hint={t("capability.stability.ofCases", { count: total.cases })}
        >
          {format.count(total.same_score)}
        </Fact>
        <Fact
          name={t("capability.stability.range")}
          hint={mean !== null && t("capability.stability.mean", { mean: format.number(mean) })}
        >
          {low === null || high === null
            ? none
            : t("capability.compare.range", {
                low: format.number(low),
                high: format.number(high),
              })}
        </Fact>
      </SimpleGrid>
      {left_out.length > 0 && (
        <Text size="sm" c="dimmed">
          {t("capability.stability.leftOut", { count: left_out.length })}
        </Text>
      )}
      {found.stable && <Text size="sm">{t("capability.stability.stable")}</Text>}
    </Stack>
  );
}

/** What became of the cases that differ, run by run. */
export function UnstableCases({ found }: { found: Stability }) {
  const { t } = useTranslation();
  const format = useFormat();
  const names = namesOf(found.runs);
  return (
    <div>
      <Title order={2} mb="xs">
        {t("capability.stability.unstable")}
      </Title>
      <Table.ScrollContainer type="native" tabIndex={0} minWidth={520} mah={360}>
        <Table aria-label={t("capability.stability.unstable")} tabularNums>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("capability.compare.cases")}</Table.Th>
              {found.runs.map(({ run_id }) => (
                <Table.Th key={run_id}>{names.get(run_id)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {found.unstable.slice(0, MOST_SHOWN).map((one) => (
              <Table.Tr key={one.case_id}>
                <Table.Th scope="row">{one.case_id}</Table.Th>
                {found.runs.map(({ run_id }, place) => {
                  const score = one.scores[place];
                  return (
                    <Table.Td key={run_id}>
                      <ItemTag status={one.statuses[place] ?? ""} />{" "}
                      {score != null && format.number(score, 2)}
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}
