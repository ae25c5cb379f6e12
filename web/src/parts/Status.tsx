import { Tooltip } from "@mantine/core";
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconFlask,
  IconLoader2,
  IconPlayerPause,
  type IconProps,
  IconQuestionMark,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import type { Words } from "@/i18n/index.ts";
import classes from "./Status.module.css";
import { Tag, type Tone } from "./Tag.tsx";

type State = keyof Words["states"]["status"];
type Icon = ComponentType<IconProps>;

const LOOKS: Record<State, [Tone, Icon]> = {
  running: ["busy", IconLoader2],
  queued: ["busy", IconCircleDashed],
  completed: ["good", IconCircleCheck],
  finished: ["good", IconCircleCheck],
  succeeded: ["good", IconCircleCheck],
  partial: ["warn", IconAlertTriangle],
  interrupted: ["warn", IconAlertTriangle],
  waiting_user: ["warn", IconQuestionMark],
  paused: ["idle", IconPlayerPause],
  stopped: ["idle", IconPlayerPause],
  cancelled: ["idle", IconPlayerPause],
  created: ["idle", IconCircleDashed],
  pending: ["idle", IconCircleDashed],
  archived: ["idle", IconCircleDashed],
  unknown: ["idle", IconQuestionMark],
  failed: ["bad", IconAlertTriangle],
};

/** How something that runs is; a state that nobody has told us of is shown as it is. */
export function Status({ status }: { status: string }) {
  const { t } = useTranslation();
  const known = status in LOOKS ? (status as State) : null;
  const [tone, Icon] = LOOKS[known ?? "unknown"];
  return (
    <Tag
      tone={tone}
      icon={
        <Icon
          size={13}
          stroke={2.2}
          {...(status === "running" ? { className: classes.turning ?? "" } : {})}
          aria-hidden
        />
      }
    >
      {known ? t(`states.status.${known}`) : status}
    </Tag>
  );
}

/** Stands beside every number that no real agent has made. */
export function Simulated() {
  const { t } = useTranslation();
  return (
    <Tooltip label={t("states.simulatedHint")}>
      <span style={{ display: "inline-flex" }}>
        <Tag tone="warn" icon={<IconFlask size={13} stroke={2} aria-hidden />}>
          {t("states.simulated")}
        </Tag>
      </span>
    </Tooltip>
  );
}
