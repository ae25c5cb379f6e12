import { Button, Stack, Text } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "./Notice.tsx";

/** Keeps the rest of the interface alive when a part of it breaks. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <Broken error={this.state.error} retry={() => this.setState({ error: null })} />;
  }
}

export function Broken({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useTranslation();
  return (
    <Notice tone="bad" title={t("states.errors.broken")} isUrgent>
      <Stack gap="xs" align="flex-start">
        <Text>{t("states.errors.brokenHint")}</Text>
        <Text ff="monospace" size="sm">
          {error instanceof Error ? error.message : String(error)}
        </Text>
        <Button size="compact-sm" variant="default" onClick={retry}>
          {t("states.retry")}
        </Button>
      </Stack>
    </Notice>
  );
}
