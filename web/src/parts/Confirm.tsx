import { Button, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem.ts";
import { Dialog } from "./Dialog.tsx";

/** The looks of a button that ends or removes something. */
export const DANGER = {
  variant: "default",
  c: "var(--whet-bad)",
  bg: "var(--whet-bad-soft)",
  bd: "1px solid var(--whet-bad)",
} as const;

/** Asks before something that costs or cannot be undone. */
export function Confirm({
  isOpen,
  title,
  yes,
  tone = "primary",
  isBusy = false,
  error,
  onYes,
  onNo,
  children,
}: {
  isOpen: boolean;
  title: string;
  yes: string;
  tone?: "primary" | "danger";
  isBusy?: boolean;
  error?: unknown;
  onYes: () => void;
  onNo: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <Dialog title={title} closeLabel={t("states.close")} isOpen={isOpen} close={onNo} size="md">
      <Stack gap="md">
        <div>{children}</div>
        {error != null && (
          <Text role="alert" size="sm" c="var(--whet-bad)">
            {asProblem(error).message}
          </Text>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onNo} data-autofocus>
            {t("states.cancel")}
          </Button>
          <Button onClick={onYes} loading={isBusy} {...(tone === "danger" ? DANGER : {})}>
            {yes}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
