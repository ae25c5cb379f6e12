import { Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { AREAS, type Area } from "./areas.ts";
import classes from "./Shell.module.css";

export function Navigation({ onGo }: { onGo: () => void }) {
  return (
    <ul className={classes.areas}>
      {AREAS.map((area) => (
        <li key={area.name}>
          <Entry area={area} onGo={onGo} />
        </li>
      ))}
    </ul>
  );
}

function Entry({ area, onGo }: { area: Area; onGo: () => void }) {
  const { t } = useTranslation();
  const { icon: Icon, name, to } = area;
  const inside = (
    <>
      <Icon size={18} stroke={1.7} aria-hidden />
      <span>{t(`shell.areas.${name}`)}</span>
    </>
  );
  if (to) {
    return (
      <Link
        to={to}
        className={classes.area}
        activeOptions={{ exact: to === "/" }}
        activeProps={{ "data-active": true, "aria-current": "page" }}
        onClick={onGo}
      >
        {inside}
      </Link>
    );
  }
  return (
    <Tooltip label={t(area.isPlanned ? "shell.notYetHint" : "shell.comingHint")} position="right">
      <span className={classes.area} data-coming>
        {inside}
        <span className={classes.coming}>{t("shell.coming")}</span>
      </span>
    </Tooltip>
  );
}
