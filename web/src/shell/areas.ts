import {
  IconBolt,
  IconBooks,
  IconChartDots3,
  IconDna2,
  IconFlask2,
  IconHome,
  IconMessages,
  type IconProps,
  IconSettings,
  IconTrophy,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { Words } from "@/i18n/index.ts";

export interface Area {
  name: keyof Words["shell"]["areas"];
  icon: ComponentType<IconProps>;
  /** Where its page is. What has none yet is shown as coming, and leads nowhere. */
  to?: "/" | "/experiments" | "/capability";
  /** Whether not even the command line has it. */
  isPlanned?: true;
}

export const AREAS: readonly Area[] = [
  { name: "home", icon: IconHome, to: "/" },
  { name: "experiments", icon: IconFlask2, to: "/experiments" },
  { name: "capability", icon: IconChartDots3, to: "/capability" },
  { name: "library", icon: IconBooks },
  { name: "leaderboard", icon: IconTrophy },
  { name: "jobs", icon: IconBolt },
  { name: "sessions", icon: IconMessages },
  { name: "evolve", icon: IconDna2, isPlanned: true },
  { name: "settings", icon: IconSettings },
];
