import { Drawer, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

/** Lies over the page, on its right; the matrix stays where it was. */
export function TrialDrawer({
  title,
  isOpen,
  close,
  children,
}: {
  title: string;
  isOpen: boolean;
  close: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  // Its own header would be a second banner of the page.
  return (
    <Drawer.Root
      opened={isOpen}
      onClose={close}
      position="right"
      size="min(46rem, 100vw)"
      transitionProps={{ duration: 150 }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <Group justify="space-between" align="flex-start" wrap="nowrap" p="md" pb="sm">
          <Drawer.Title fw={620} fz="lg" style={{ overflowWrap: "anywhere" }}>
            {title}
          </Drawer.Title>
          <Drawer.CloseButton aria-label={t("experiment.trial.close")} />
        </Group>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
