import { Card, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Shape } from "@/api/client.ts";
import { useFormat } from "@/format.ts";
import { Page } from "@/parts/Page.tsx";
import { Loaded } from "@/parts/States.tsx";
import { Status } from "@/parts/Status.tsx";
import { evaluation } from "./queries.ts";

export function EvalPage() {
  const { t } = useTranslation();
  const { identity } = useParams({ from: "/experiments/evals/$identity" });
  const query = useQuery(evaluation(identity));
  return (
    <Page title={query.data?.eval.skill ?? t("experiment.title")}>
      <Loaded query={query}>{(found) => <Facts found={found.eval} />}</Loaded>
    </Page>
  );
}

function Facts({ found }: { found: Shape<"EvalState"> }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Card>
      <Group gap="md">
        <Status status={found.status} />
        <Text size="sm" c="dimmed">
          {t("numbers.trials", { count: found.total_trials })}
        </Text>
        <Text size="sm" c="dimmed">
          {format.moment(found.started_at)}
        </Text>
      </Group>
      {found.error && <Text mt="sm">{found.error}</Text>}
      {found.warnings.map((warning) => (
        <Text key={warning} mt="sm">
          {warning}
        </Text>
      ))}
    </Card>
  );
}
