import type { ReactNode } from "react";
import classes from "./Tag.module.css";

export type Tone = "good" | "bad" | "warn" | "busy" | "idle";

/** A word with a meaning: its colour never stands alone. */
export function Tag({
  tone,
  icon,
  children,
}: {
  tone: Tone;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {icon}
      {children}
    </span>
  );
}
