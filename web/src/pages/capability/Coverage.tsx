import { Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Shape } from "@/api/client.ts";
import { useFormat } from "@/format.ts";
import { type Bar, Bars } from "@/parts/Bars.tsx";
import { Tag } from "@/parts/Tag.tsx";
import { DIMENSIONS } from "./queries.ts";

type Coverage = Shape<"CaseCoverage">;

/** What some cases touch, and what they do not. */
export function CoverageView({ coverage, note }: { coverage: Coverage; note?: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { tags, checkers, tools, dimensions } = coverage;
  const skippable = (count: number | null | undefined) =>
    count ? { note: t("capability.coverage.skippable", { count }) } : {};
  const shares = (of: Coverage["tags"]): Bar[] =>
    Object.entries(of)
      .sort(([, a], [, b]) => b.cases - a.cases)
      .map(([name, share]) => ({
        key: name,
        name,
        value: share.cases,
        text: format.count(share.cases),
        ...skippable(share.skippable),
      }));
  const ofDimensions = DIMENSIONS.flatMap((dimension) => {
    const share = dimensions[dimension];
    if (!share) return [];
    const name = t(`capability.dimensions.${dimension}`);
    const text = format.count(share.cases);
    return [{ key: dimension, name, value: share.cases, text, ...skippable(share.skippable) }];
  });
  const ofTools = [...tools]
    .sort((a, b) => b.cases - a.cases)
    .map((tool) => ({
      key: tool.tool,
      name: tool.tool,
      value: tool.cases,
      text: format.count(tool.cases),
      ...(tool.checked > 0
        ? { note: t("capability.coverage.toolNote", { count: tool.checked }) }
        : {}),
    }));
  return (
    <Stack gap="md">
      <Text c="dimmed" size="sm">
        {t("capability.coverage.total", { count: coverage.cases })}
        {" · "}
        {t("capability.coverage.weight", { weight: format.number(coverage.weight, 0) })}
        {note && ` · ${note}`}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="xl" verticalSpacing="lg">
        <Part title={t("capability.coverage.dimensions")} bars={ofDimensions} />
        <Part title={t("capability.coverage.tools")} bars={ofTools} />
        <Part title={t("capability.coverage.tags")} bars={shares(tags)} />
        <Part title={t("capability.coverage.checkers")} bars={shares(checkers)} />
      </SimpleGrid>
      <Missing coverage={coverage} />
    </Stack>
  );
}

function Part({ title, bars }: { title: string; bars: readonly Bar[] }) {
  const { t } = useTranslation();
  return (
    <div>
      <Title order={3} mb={4}>
        {title}
      </Title>
      <Bars
        title={title}
        columns={[t("capability.coverage.name"), t("capability.coverage.cases")]}
        bars={bars}
        most={Math.max(1, ...bars.map(({ value }) => value ?? 0))}
      />
    </div>
  );
}

function Missing({ coverage }: { coverage: Coverage }) {
  const { t } = useTranslation();
  const lists: readonly [string, readonly string[]][] = [
    [t("capability.coverage.tools"), coverage.uncovered_tools],
    [t("capability.coverage.tags"), coverage.uncovered_tags],
    [t("capability.coverage.checkers"), coverage.uncovered_checkers],
  ];
  const missing = lists.filter(([, names]) => names.length > 0);
  if (missing.length === 0) return <Text size="sm">{t("capability.coverage.complete")}</Text>;
  return (
    <div>
      <Title order={3} mb={6}>
        {t("capability.coverage.missing")}
      </Title>
      <Stack gap={6}>
        {missing.map(([kind, names]) => (
          <Names key={kind} kind={kind}>
            {names.map((name) => (
              <Tag key={name} tone="warn">
                {name}
              </Tag>
            ))}
          </Names>
        ))}
      </Stack>
    </div>
  );
}

function Names({ kind, children }: { kind: string; children: ReactNode }) {
  return (
    <Group gap={6}>
      <Text size="sm" c="dimmed" miw={72}>
        {kind}
      </Text>
      {children}
    </Group>
  );
}
