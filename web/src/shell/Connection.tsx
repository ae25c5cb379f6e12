import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { connected } from "@/api/events.ts";
import classes from "./Shell.module.css";

/** Whether what is shown follows what happens. */
export function Connection() {
  const { t } = useTranslation();
  const state = useSyncExternalStore(connected.subscribe, connected.get);
  return (
    <span className={classes.connection} data-state={state} role="status">
      <span className={classes.dot} aria-hidden />
      {t(`shell.connection.${state}`)}
    </span>
  );
}
