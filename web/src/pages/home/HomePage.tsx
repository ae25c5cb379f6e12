import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Page } from "@/parts/Page.tsx";
import { Loaded } from "@/parts/States.tsx";
import { DemoButton } from "./DemoButton.tsx";
import { Latest } from "./Latest.tsx";
import { home } from "./queries.ts";
import { RunningNow } from "./RunningNow.tsx";
import { Start } from "./Start.tsx";

export function HomePage() {
  const { t } = useTranslation();
  const query = useQuery(home());
  const isEmpty = query.data?.empty ?? true;
  return (
    <Page
      title={t("home.title")}
      about={isEmpty ? null : t("shell.tagline")}
      actions={isEmpty ? null : <DemoButton variant="default" size="sm" />}
    >
      <Loaded query={query}>
        {(found) =>
          found.empty ? (
            <Start />
          ) : (
            <Stack gap="xl">
              <RunningNow running={found.running} />
              <Latest outcomes={found.latest} />
            </Stack>
          )
        }
      </Loaded>
    </Page>
  );
}
