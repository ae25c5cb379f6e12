import { Text } from "@mantine/core";
import type { ReactNode } from "react";

/** A number that matters, with its name. */
export function Fact({
  name,
  hint,
  children,
}: {
  name: ReactNode;
  hint?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text fw={600} size="lg" lh={1.35} component="div" style={{ overflowWrap: "anywhere" }}>
        {children}
      </Text>
      {hint && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </div>
  );
}
