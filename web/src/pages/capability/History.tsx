import { Button, Card, Group, Pagination, Select, Text } from "@mantine/core";
import { IconArrowsDiff } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { PageButton } from "@/parts/Links.tsx";
import { Empty, Loaded } from "@/parts/States.tsx";
import { capabilityRuns, type Run } from "./queries.ts";
import { DeleteRun } from "./RunActions.tsx";
import { RunTable } from "./RunTable.tsx";
import { Titled } from "./Titled.tsx";

const PAGE = 20;
const STATUSES: readonly Run["status"][] = ["running", "finished", "cancelled", "failed"];

/** All runs, to be looked at, compared and deleted. */
export function History() {
  const { t } = useTranslation();
  const [status, choose] = useState<Run["status"] | null>(null);
  const [page, turn] = useState(1);
  const [chosen, compare] = useState<readonly string[]>([]);
  const [doomed, doom] = useState<Run | null>(null);
  const query = useQuery({
    ...capabilityRuns({
      limit: PAGE,
      offset: (page - 1) * PAGE,
      ...(status ? { status } : {}),
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <section>
      <Titled
        title={t("capability.history.title")}
        actions={
          <Group gap="sm">
            <Comparing chosen={chosen} clear={() => compare([])} />
            <Select
              size="xs"
              w={150}
              aria-label={t("capability.history.status")}
              placeholder={t("capability.history.anyStatus")}
              data={STATUSES.map((value) => ({ value, label: t(`states.status.${value}`) }))}
              value={status}
              clearable
              onChange={(value) => {
                choose(STATUSES.find((one) => one === value) ?? null);
                turn(1);
              }}
            />
          </Group>
        }
      >
        <Loaded query={query}>
          {({ runs, total }) =>
            runs.length === 0 ? (
              <Card>
                {status ? (
                  <Text c="dimmed">{t("capability.history.none")}</Text>
                ) : (
                  <Empty title={t("capability.empty")} hint={t("capability.emptyHint")} />
                )}
              </Card>
            ) : (
              <>
                <RunTable runs={runs} chosen={chosen} onChoose={compare} onDelete={doom} />
                {total > PAGE && (
                  <Pagination
                    mt="md"
                    size="sm"
                    total={Math.ceil(total / PAGE)}
                    value={page}
                    onChange={turn}
                    aria-label={t("capability.history.pages")}
                  />
                )}
              </>
            )
          }
        </Loaded>
      </Titled>
      {doomed && (
        <DeleteRun
          run={doomed}
          onClose={() => doom(null)}
          onGone={() => compare(chosen.filter((one) => one !== doomed.run_id))}
        />
      )}
    </section>
  );
}

function Comparing({ chosen, clear }: { chosen: readonly string[]; clear: () => void }) {
  const { t } = useTranslation();
  if (chosen.length === 0) {
    return (
      <Text size="sm" c="dimmed" visibleFrom="sm">
        {t("capability.history.compareHint")}
      </Text>
    );
  }
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={clear}>
        {t("capability.history.clear")}
      </Button>
      {chosen.length < 2 ? (
        <Text size="sm" c="dimmed">
          {t("capability.history.compareHint")}
        </Text>
      ) : (
        <PageButton
          to="/capability/compare"
          search={{ runs: chosen.join(",") }}
          size="xs"
          leftSection={<IconArrowsDiff size={15} aria-hidden />}
        >
          {t("capability.history.compare")} ({chosen.length})
        </PageButton>
      )}
    </>
  );
}
