import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem.ts";

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
    <Modal
      opened={isOpen}
      onClose={onNo}
      title={title}
      centered
      closeButtonProps={{ "aria-label": t("states.cancel") }}
    >
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
          <Button
            onClick={onYes}
            loading={isBusy}
            {...(tone === "danger" ? { color: "red.8" } : {})}
          >
            {yes}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
