import { Button, Center, Code, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem.ts";
import { Notice } from "./Notice.tsx";

/** Text with `commands` in it. */
export function Prose({ text }: { text: string }) {
  const parts = text.split("`");
  return parts.map((part, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text have no other name
    place % 2 ? <Code key={place}>{part}</Code> : part,
  );
}

/** There is nothing yet: says so, and what to do. */
export function Empty({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: string;
  children?: ReactNode;
}) {
  return (
    <Center py="xl">
      <Stack align="center" gap="xs" maw={520}>
        <Title order={2}>{title}</Title>
        {hint && (
          <Text c="dimmed" ta="center">
            <Prose text={hint} />
          </Text>
        )}
        {children}
      </Stack>
    </Center>
  );
}

/** It could not be loaded: says why, and offers to try again. */
export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  const { t } = useTranslation();
  const problem = asProblem(error);
  const words = problem.code === "unreachable" ? t("states.errors.unreachable") : problem.message;
  return (
    <Notice tone="bad" title={t("states.errors.title")} isUrgent>
      <Group justify="space-between" gap="sm">
        <Text size="md">
          <Prose text={words} />
        </Text>
        {retry && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconRefresh size={14} aria-hidden />}
            onClick={retry}
          >
            {t("states.retry")}
          </Button>
        )}
      </Group>
    </Notice>
  );
}

export function Loading({ rows = 4 }: { rows?: number }) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm" role="status" aria-label={t("states.loading")}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <Skeleton key={row} height={28} radius="sm" />
      ))}
    </Stack>
  );
}

/** What a query brings, or why it has not. Data that is there stays while it is fetched anew. */
export function Loaded<Data>({
  query,
  rows,
  children,
}: {
  query: UseQueryResult<Data>;
  rows?: number;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return <Loading {...(rows === undefined ? {} : { rows })} />;
}
