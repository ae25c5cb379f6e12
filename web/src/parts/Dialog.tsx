import { Group, Modal } from "@mantine/core";
import type { ReactNode } from "react";

/** Something to answer before anything else. */
export function Dialog({
  title,
  closeLabel,
  isOpen,
  close,
  size = "lg",
  children,
}: {
  title: string;
  closeLabel: string;
  isOpen: boolean;
  close: () => void;
  size?: "md" | "lg";
  children: ReactNode;
}) {
  // The component's own header would be a second banner of the page.
  return (
    <Modal.Root opened={isOpen} onClose={close} size={size}>
      <Modal.Overlay />
      <Modal.Content>
        <Group justify="space-between" wrap="nowrap" p="md" pb="xs">
          <Modal.Title fw={620} fz="lg">
            {title}
          </Modal.Title>
          <Modal.CloseButton aria-label={closeLabel} />
        </Group>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
