import { Button, Card, Collapse, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { spoken } from "@/i18n/index.ts";
import { Page } from "@/parts/Page.tsx";
import { Loaded, Loading } from "@/parts/States.tsx";
import { CoverageView } from "./Coverage.tsx";
import { History } from "./History.tsx";
import { capabilityRun, setCoverage } from "./queries.ts";
import { StartForm } from "./start/StartForm.tsx";
import { type Wish, wishLike } from "./wish.ts";

/** Start a run, and look back at those that were. */
export function ListPage() {
  const { t } = useTranslation();
  const { like } = useSearch({ from: "/capability" });
  return (
    <Page title={t("capability.title")} about={t("capability.about")}>
      {like ? <FormLike key={like} run={like} /> : <FormAndCoverage />}
      <History />
    </Page>
  );
}

/** The form with what an earlier run was started with; where that is gone, as always. */
function FormLike({ run }: { run: string }) {
  const query = useQuery(capabilityRun(run));
  if (query.isPending) return <Loading />;
  return <FormAndCoverage {...(query.data ? { begin: wishLike(query.data.run) } : {})} />;
}

function FormAndCoverage({ begin }: { begin?: Wish }) {
  const { t } = useTranslation();
  const [isShown, shown] = useDisclosure();
  const [about, look] = useState({
    caseSet: begin?.caseSet ?? "default",
    language: begin?.language ?? spoken(),
  });
  return (
    <Stack gap="xs">
      <StartForm {...(begin ? { begin } : {})} onSet={look} />
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={isShown}
          rightSection={
            isShown ? (
              <IconChevronUp size={14} aria-hidden />
            ) : (
              <IconChevronDown size={14} aria-hidden />
            )
          }
          onClick={shown.toggle}
        >
          {isShown ? t("capability.form.hideCoverage") : t("capability.form.showCoverage")}
        </Button>
        <Collapse expanded={isShown}>
          {isShown && <SetCoverage caseSet={about.caseSet} language={about.language} />}
        </Collapse>
      </div>
    </Stack>
  );
}

function SetCoverage({ caseSet, language }: { caseSet: string; language: string }) {
  const query = useQuery({ ...setCoverage(caseSet, language), retry: false });
  return (
    <Card padding="lg" mt="xs">
      <Loaded query={query}>{(coverage) => <CoverageView coverage={coverage} />}</Loaded>
    </Card>
  );
}
