import { Stack, Tabs, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ShortVerdict } from "@/parts/Verdict.tsx";
import classes from "./Body.module.css";
import { Dimensions } from "./Dimensions.tsx";
import { Facts, Remarks } from "./Facts.tsx";
import { Findings, Measures, Statistics } from "./Findings.tsx";
import { Matrix, type Paging } from "./Matrix.tsx";
import { Method } from "./Method.tsx";
import { Ranking } from "./Ranking.tsx";
import { Verdicts } from "./Verdicts.tsx";
import { engineName, type Leg, type Place, type View } from "./view.ts";

/** All of an experiment; where it comes from is no concern of this. */
export function Body({
  view,
  chosen,
  choose,
  paging,
}: {
  view: View;
  chosen: Place | null;
  choose: (place: Place) => void;
  paging: Paging;
}) {
  const { t } = useTranslation();
  const [shown, show] = useState("0");
  const parts = view.legs.map((leg, number) => (
    <Part
      // biome-ignore lint/suspicious/noArrayIndexKey: a leg is its number
      key={number}
      view={view}
      leg={leg}
      number={number}
      chosen={chosen}
      choose={choose}
      paging={paging}
    />
  ));
  return (
    <Stack gap="md">
      <Remarks view={view} />
      <Facts view={view} />
      {view.legs.length < 2 ? (
        parts
      ) : (
        <Tabs value={shown} onChange={(value) => show(value ?? "0")} keepMounted={false}>
          <Tabs.List mb="md">
            {view.legs.map((leg, number) => (
              <Tabs.Tab
                // biome-ignore lint/suspicious/noArrayIndexKey: a leg is its number
                key={number}
                value={String(number)}
                rightSection={
                  leg.verdicts[0] ? (
                    <ShortVerdict verdict={leg.verdicts[0]} cases={leg.verdicts[0].n_cases} />
                  ) : null
                }
              >
                {engineName(leg.engine)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {parts.map((part, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a leg is its number
            <Tabs.Panel key={number} value={String(number)}>
              {part}
            </Tabs.Panel>
          ))}
          <Text size="xs" c="dimmed" mt="xs">
            {t("experiment.verdict.family")}
          </Text>
        </Tabs>
      )}
    </Stack>
  );
}

function Part({
  view,
  leg,
  number,
  chosen,
  choose,
  paging,
}: {
  view: View;
  leg: Leg;
  number: number;
  chosen: Place | null;
  choose: (place: Place) => void;
  paging: Paging;
}) {
  const isRunning = view.status === "running";
  return (
    <Stack gap="md">
      <Verdicts leg={leg} isRunning={isRunning} />
      <div className={hasDimensions(leg) ? classes.beside : ""}>
        <Ranking leg={leg} isRanked={view.kind === "project"} />
        <Dimensions leg={leg} />
      </div>
      <Matrix
        leg={leg}
        number={number}
        isRunning={isRunning}
        chosen={chosen}
        choose={choose}
        paging={paging}
      />
      <Findings leg={leg} />
      <Measures leg={leg} />
      <Statistics leg={leg} />
      <Method view={view} leg={leg} />
    </Stack>
  );
}

function hasDimensions(leg: Leg): boolean {
  return leg.arms.some((arm) => Object.values(arm.dimensions).some((one) => one !== null));
}
