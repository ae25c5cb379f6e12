import { Button, Card, Collapse, Grid, Group, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { IconAdjustments, IconPlayerPlay } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem.ts";
import { spoken } from "@/i18n/index.ts";
import { Notice } from "@/parts/Notice.tsx";
import { plan } from "../queries.ts";
import { Titled } from "../Titled.tsx";
import { bodyOf, type Field, overridesOf, placeOf, plainWish, type Wish } from "../wish.ts";
import { ConfirmCost } from "./ConfirmCost.tsx";
import { DimensionChips } from "./DimensionChips.tsx";
import { ModelInput } from "./ModelInput.tsx";
import { MoreSettings } from "./MoreSettings.tsx";
import { PlanLine } from "./PlanLine.tsx";
import { CaseSetInput, LanguageInput } from "./SetInputs.tsx";
import { ToolSwitch } from "./ToolSwitch.tsx";
import { useStart } from "./useStart.ts";

const TYPING_MS = 300;

/** What is to be measured. Everything has a default, so that one click will do. */
export function StartForm({
  begin,
  onSet,
}: {
  begin?: Wish;
  /** Another set, or another language of it, was chosen. */
  onSet: (about: { caseSet: string; language: string }) => void;
}) {
  const { t } = useTranslation();
  const [wish, setWish] = useState<Wish>(begin ?? plainWish(spoken()));
  const [isMore, more] = useDisclosure(begin !== undefined && begin.more !== "");
  const [settled] = useDebouncedValue(wish, TYPING_MS);
  const planned = useQuery({ ...plan(bodyOf(settled)), placeholderData: keepPreviousData });
  const start = useStart();
  const problem = start.problem ?? (planned.isError ? asProblem(planned.error) : null);
  const place = problem && placeOf(problem);
  const errors = errorsOf(wish, problem && place ? { [place]: problem.message } : {}, t);
  const change = (changed: Partial<Wish>) => {
    start.forget();
    const changedWish = { ...wish, ...changed };
    setWish(changedWish);
    if ("caseSet" in changed || "language" in changed) onSet(changedWish);
  };
  const now = bodyOf(wish);
  return (
    <Card component="section" aria-labelledby="new-run" padding="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (now) start.begin(now);
        }}
      >
        <Titled id="new-run" title={t("capability.form.title")}>
          <Stack gap="md">
            <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md" verticalSpacing="sm">
              <ModelInput
                value={wish.model}
                error={errors.model}
                onChange={(model) => change({ model })}
              />
              <CaseSetInput
                value={wish.caseSet}
                error={errors.caseSet}
                onChange={(caseSet) => change({ caseSet })}
              />
              <LanguageInput
                value={wish.language}
                error={errors.language}
                onChange={(language) => change({ language })}
              />
              <TextInput
                label={t("capability.form.userId")}
                placeholder={t("capability.form.userIdHint")}
                value={wish.userId}
                maxLength={200}
                error={errors.userId}
                onChange={({ currentTarget }) => change({ userId: currentTarget.value })}
              />
            </SimpleGrid>
            <Grid gap="md">
              <Grid.Col span={{ base: 12, lg: 7 }}>
                <DimensionChips
                  value={wish.dimensions}
                  caseSet={wish.caseSet}
                  language={wish.language}
                  error={errors.dimensions}
                  onChange={(dimensions) => change({ dimensions })}
                />
              </Grid.Col>
              <Grid.Col span={{ base: 12, lg: 5 }}>
                <ToolSwitch
                  wish={wish}
                  error={errors.tools}
                  onChange={(tools) => change({ tools })}
                />
              </Grid.Col>
            </Grid>
            <Collapse expanded={isMore}>
              <MoreSettings wish={wish} errors={errors} onChange={change} />
            </Collapse>
            {problem && !place && (
              <Notice tone="bad" isUrgent>
                {problem.message}
              </Notice>
            )}
            <Group gap="md" wrap="nowrap">
              <Button
                type="submit"
                leftSection={<IconPlayerPlay size={16} aria-hidden />}
                loading={start.isBusy}
                disabled={now === null}
                style={{ flex: "none" }}
              >
                {t("capability.form.start")}
              </Button>
              <PlanLine planned={planned.isError ? undefined : planned.data} />
              <Button
                variant="subtle"
                size="compact-sm"
                ml="auto"
                style={{ flex: "none" }}
                leftSection={<IconAdjustments size={15} aria-hidden />}
                aria-expanded={isMore}
                onClick={more.toggle}
              >
                {t("capability.form.more")}
              </Button>
            </Group>
          </Stack>
        </Titled>
      </form>
      <ConfirmCost start={start} />
    </Card>
  );
}

export type Errors = Partial<Record<Field, string>>;

function errorsOf(
  wish: Wish,
  told: Errors,
  t: (key: "capability.form.noDimensions" | "capability.form.noJson") => string,
): Errors {
  return {
    ...told,
    ...(wish.dimensions.length === 0 ? { dimensions: t("capability.form.noDimensions") } : {}),
    ...(overridesOf(wish.more) === null ? { more: t("capability.form.noJson") } : {}),
  };
}
