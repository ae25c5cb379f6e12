import { Anchor, Card, Group, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { PageLink } from "@/parts/Links.tsx";
import { Meter } from "@/parts/Meter.tsx";
import { Simulated, Status } from "@/parts/Status.tsx";
import classes from "./Home.module.css";
import type { Outcome, Running } from "./queries.ts";

export function RunningNow({ running }: { running: readonly Running[] }) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="running">
      <Title order={2} mb="sm" id="running">
        {t("home.running")}
      </Title>
      {running.length === 0 ? (
        <Text c="dimmed">{t("home.nothingRuns")}</Text>
      ) : (
        <div className={classes.cards}>
          {running.map((one) => (
            <Going key={`${one.kind} ${one.id}`} one={one} />
          ))}
        </div>
      )}
    </section>
  );
}

function Going({ one }: { one: Running }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { pace } = one;
  return (
    <Card>
      <Group justify="space-between" wrap="nowrap" gap="sm" mb={4}>
        <Name one={one} />
        <Status status={one.status} />
      </Group>
      <Group gap="xs" mb="sm">
        <Text size="sm" c="dimmed">
          {t(`home.kinds.${one.kind}`)}
          {one.simulated ? null : ` · ${one.engine}`}
        </Text>
        {one.simulated && <Simulated />}
      </Group>
      {pace && <Meter label={one.name} done={pace.done} total={pace.total} />}
      {pace && (
        <Group justify="space-between" mt={6}>
          <Text size="xs" c="dimmed">
            {t("home.seconds", { time: format.duration(pace.seconds) })}
          </Text>
          {pace.seconds_left !== null && (
            <Text size="xs" c="dimmed">
              {t("numbers.left", { time: format.duration(pace.seconds_left) })}
            </Text>
          )}
        </Group>
      )}
    </Card>
  );
}

/** The name, as a link where there is a page to go to. */
export function Name({ one }: { one: Pick<Running | Outcome, "kind" | "id" | "name"> }) {
  const identity = one.id;
  if (one.kind === "project" || one.kind === "eval") {
    const to =
      one.kind === "project" ? "/experiments/projects/$identity" : "/experiments/evals/$identity";
    return (
      <Anchor component={Link} to={to} params={{ identity } as never} fw={600} lineClamp={2}>
        {one.name}
      </Anchor>
    );
  }
  if (one.kind === "capability") {
    return (
      <PageLink to="/capability/runs/$run" params={{ run: identity }} fw={600} lineClamp={2}>
        {one.name}
      </PageLink>
    );
  }
  return (
    <Text fw={600} lineClamp={2}>
      {one.name}
    </Text>
  );
}
