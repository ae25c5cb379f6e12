import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Page } from "@/parts/Page.tsx";

export function NoPage() {
  const { t } = useTranslation();
  return (
    <Page title={t("states.noPage")}>
      <Anchor component={Link} to="/">
        {t("states.toHome")}
      </Anchor>
    </Page>
  );
}
