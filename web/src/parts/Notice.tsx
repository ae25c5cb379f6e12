import { Alert } from "@mantine/core";
import { IconAlertTriangle, IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Tone } from "./Tag.tsx";

/** Something to know before going on, in the colours that have enough contrast. */
export function Notice({
  tone,
  title,
  isUrgent = false,
  children,
}: {
  tone: Exclude<Tone, "good" | "busy">;
  title?: string;
  /** Whether whoever listens is interrupted. */
  isUrgent?: boolean;
  children: ReactNode;
}) {
  const colour = `var(--whet-${tone})`;
  return (
    <Alert
      {...(title ? { title } : {})}
      role={isUrgent ? "alert" : "note"}
      icon={tone === "idle" ? <IconInfoCircle aria-hidden /> : <IconAlertTriangle aria-hidden />}
      styles={{
        root: { background: `var(--whet-${tone}-soft)` },
        title: { color: colour },
        icon: { color: colour },
        message: { color: "var(--mantine-color-text)", overflowWrap: "anywhere" },
      }}
    >
      {children}
    </Alert>
  );
}
