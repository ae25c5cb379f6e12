import { Group, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** A part of a page with its heading. */
export function Titled({
  id,
  title,
  actions,
  children,
}: {
  id?: string;
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <Group justify="space-between" mb="sm" gap="sm" mih={30}>
        <Title order={2} {...(id ? { id } : {})}>
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </>
  );
}
