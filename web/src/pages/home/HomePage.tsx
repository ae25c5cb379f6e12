import { useTranslation } from "react-i18next";
import { Page } from "@/parts/Page.tsx";

export function HomePage() {
  const { t } = useTranslation();
  return (
    <Page title={t("home.title")} about={t("shell.tagline")}>
      {null}
    </Page>
  );
}
