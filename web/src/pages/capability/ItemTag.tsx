import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconLoader2,
  IconPlayerSkipForward,
  IconPlayerStop,
  type IconProps,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { Tag, type Tone } from "@/parts/Tag.tsx";
import type { ItemStatus } from "./queries.ts";

export const ITEM_ICONS: Record<ItemStatus, ComponentType<IconProps>> = {
  active: IconCircleDashed,
  passed: IconCircleCheck,
  failed: IconCircleX,
  skipped: IconPlayerSkipForward,
  error: IconAlertTriangle,
  cancelled: IconPlayerStop,
};

const TONES: Record<ItemStatus, Tone> = {
  active: "idle",
  passed: "good",
  failed: "bad",
  skipped: "idle",
  error: "warn",
  cancelled: "idle",
};

/** What became of a case, or that it is under way. */
export function ItemTag({ status, isUnderway = false }: { status: string; isUnderway?: boolean }) {
  const { t } = useTranslation();
  if (!(status in TONES)) return <Tag tone="idle">{status}</Tag>;
  const known = status as ItemStatus;
  const Icon = isUnderway ? IconLoader2 : ITEM_ICONS[known];
  return (
    <Tag
      tone={isUnderway ? "busy" : TONES[known]}
      icon={<Icon size={13} stroke={2.2} aria-hidden />}
    >
      {t(isUnderway ? "capability.item.underway" : `capability.item.${known}`)}
    </Tag>
  );
}
