import { Drawer, Text } from "@mantine/core";
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
  return (
    <Drawer
      opened={isOpen}
      onClose={close}
      position="right"
      size="min(46rem, 100vw)"
      title={
        <Text component="span" fw={620} fz="lg" style={{ overflowWrap: "anywhere" }}>
          {title}
        </Text>
      }
      closeButtonProps={{ "aria-label": t("experiment.trial.close") }}
      transitionProps={{ duration: 150 }}
    >
      {children}
    </Drawer>
  );
}
