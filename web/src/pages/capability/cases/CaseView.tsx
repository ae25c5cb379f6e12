import { Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import type { Translate } from "@/i18n/index.ts";
import { CallList } from "@/parts/CallList.tsx";
import { Fact } from "@/parts/Fact.tsx";
import { Notice } from "@/parts/Notice.tsx";
import { Tag } from "@/parts/Tag.tsx";
import { Verbatim } from "@/parts/Verbatim.tsx";
import { checksOf, missingTools, otherDetail } from "../detail.ts";
import type { Item } from "../queries.ts";
import { CheckView } from "./CheckView.tsx";

/** All that is known of a case: the task, what the agent did and said, and why that counts. */
export function CaseView({ item }: { item: Item }) {
  const { t } = useTranslation();
  const reason = reasonOf(item, t);
  const checks = checksOf(item.checker_detail);
  const other = otherDetail(item.checker_detail);
  return (
    <Stack gap="lg">
      <Facts item={item} />
      {reason && <Notice tone={item.status === "error" ? "warn" : "idle"}>{reason}</Notice>}
      <Part title={t("capability.cases.prompt")}>
        <Verbatim text={item.prompt} />
      </Part>
      {item.final_answer !== null && (
        <Part title={t("capability.cases.answer")}>
          {item.final_answer === "" ? (
            <Text c="dimmed">{t("capability.cases.noAnswer")}</Text>
          ) : (
            <Verbatim text={item.final_answer} />
          )}
        </Part>
      )}
      {item.final_answer !== null && <Calls item={item} />}
      {(checks.length > 0 || other) && (
        <Part title={t("capability.cases.checks")}>
          <Stack gap="xs">
            {checks.map((check, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: checks have no other name
              <CheckView key={place} check={check} />
            ))}
            {other && <Verbatim text={other} />}
          </Stack>
        </Part>
      )}
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={3} mb={6}>
        {title}
      </Title>
      {children}
    </section>
  );
}

function Calls({ item }: { item: Item }) {
  const { t } = useTranslation();
  const title = t("capability.cases.calls", { count: item.tool_calls.length });
  if (item.tool_calls.length === 0) {
    return (
      <Text c="dimmed" size="sm">
        {t("capability.cases.noCalls")}
      </Text>
    );
  }
  return (
    <Part title={title}>
      <CallList calls={item.tool_calls} label={title} />
    </Part>
  );
}

function Facts({ item }: { item: Item }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { score, max_score, elapsed_s, tokens, output_tokens, cost_usd, tags, session_id } = item;
  const none = t("numbers.none");
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="md">
        <Fact
          name={t("capability.cases.score")}
          hint={`${t("capability.cases.weight")} ${format.number(item.weight, item.weight % 1 ? 1 : 0)}`}
        >
          {score === null
            ? none
            : t("capability.cases.ofMost", {
                score: format.number(score, score % 1 ? 2 : 0),
                most: format.count(max_score),
              })}
        </Fact>
        <Fact name={t("capability.cases.took")}>
          {elapsed_s === null ? none : format.duration(elapsed_s)}
        </Fact>
        <Fact
          name={t("capability.cases.tokens")}
          hint={output_tokens && t("capability.cases.output", { count: output_tokens })}
        >
          {tokens ? format.count(tokens) : none}
        </Fact>
        <Fact name={t("capability.cases.cost")}>
          {cost_usd == null ? none : cost_usd === 0 ? t("numbers.free") : format.money(cost_usd)}
        </Fact>
      </SimpleGrid>
      {tags.length > 0 && (
        <Group gap={6}>
          {tags.map((tag) => (
            <Tag key={tag} tone="idle">
              {tag}
            </Tag>
          ))}
        </Group>
      )}
      {session_id && (
        <Text size="xs" c="dimmed">
          {t("capability.cases.session")} {session_id}
        </Text>
      )}
    </Stack>
  );
}

/** Why there is no better result, where a case has none. */
export function reasonOf(item: Item, t: Translate): string | null {
  const error = item.error ?? "";
  switch (item.status) {
    case "skipped": {
      const tools = missingTools(item.checker_detail);
      if (tools.length > 0) return t("capability.cases.skipped", { tools: tools.join(", ") });
      return t("capability.cases.skippedOther", { reason: item.skip_reason ?? error });
    }
    case "error":
      return t("capability.cases.error", { error });
    case "cancelled":
      return t("capability.cases.cancelled", { error });
    case "failed":
      return error ? t("capability.cases.limit", { error }) : null;
    default:
      return null;
  }
}
