import {
  IconAlertTriangle,
  IconClock,
  IconHelpCircle,
  type IconProps,
  IconShieldX,
  IconWaveSine,
  IconX,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import classes from "./Matrix.module.css";
import type { Mark } from "./view.ts";

const ICONS: Record<Mark, ComponentType<IconProps>> = {
  failed: IconX,
  gate: IconShieldX,
  unscored: IconHelpCircle,
  missing: IconAlertTriangle,
  waiting: IconClock,
  flaky: IconWaveSine,
};

/** A sign beside a score; the words stand in the legend and in the name of the cell. */
export function MarkIcon({ mark }: { mark: Mark }) {
  const Icon = ICONS[mark];
  return (
    <Icon size={13} stroke={2.4} className={classes.mark ?? ""} data-mark={mark} aria-hidden />
  );
}
