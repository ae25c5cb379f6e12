/** Numbers and times as people read them, in the language that is spoken. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";

const NARROW: Intl.NumberFormatOptions = { maximumFractionDigits: 0 };

export interface Format {
  count(value: number): string;
  /** A score or rate with as many digits as are worth reading. */
  number(value: number, digits?: number): string;
  /** With its sign; zero has none. */
  signed(value: number, digits?: number): string;
  percent(value: number, digits?: number): string;
  /** US dollars; small amounts keep two digits that say something. */
  money(value: number): string;
  duration(seconds: number): string;
  /** A moment as date and time, or a dash where there is none. */
  moment(iso: string | null | undefined): string;
  /** How long ago, roughly. */
  ago(iso: string, now?: number): string;
}

export function formatIn(language: string): Format {
  const number = (value: number, digits = 1) =>
    new Intl.NumberFormat(language, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(value);
  const unit = (value: number, name: string) =>
    new Intl.NumberFormat(language, {
      ...NARROW,
      style: "unit",
      unit: name,
      unitDisplay: "narrow",
    }).format(value);
  return {
    count: (value) => new Intl.NumberFormat(language, NARROW).format(value),
    number,
    signed: (value, digits = 1) =>
      new Intl.NumberFormat(language, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        signDisplay: "exceptZero",
      }).format(value),
    percent: (value, digits = 0) =>
      new Intl.NumberFormat(language, {
        style: "percent",
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }).format(value),
    money: (value) =>
      new Intl.NumberFormat(language, {
        style: "currency",
        currency: "USD",
        currencyDisplay: "narrowSymbol",
        ...(value !== 0 && Math.abs(value) < 1
          ? { maximumSignificantDigits: 2 }
          : { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
      }).format(value),
    duration: (seconds) => duration(seconds, unit, number, language),
    moment: (iso) => moment(iso, language),
    ago: (iso, now = Date.now()) => ago(iso, now, language),
  };
}

function duration(
  seconds: number,
  unit: (value: number, name: string) => string,
  number: (value: number, digits?: number) => string,
  language: string,
): string {
  const gap = language.startsWith("zh") ? "" : " ";
  if (seconds < 10) return unit(0, "second").replace("0", number(Math.max(0, seconds), 1));
  const whole = Math.round(seconds);
  if (whole < 60) return unit(whole, "second");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${unit(hours, "hour")}${gap}${unit(minutes, "minute")}`;
  return `${unit(minutes, "minute")}${gap}${unit(whole % 60, "second")}`;
}

function moment(iso: string | null | undefined, language: string): string {
  const time = iso ? new Date(iso) : null;
  if (time === null || Number.isNaN(time.getTime())) return "–";
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(
    time,
  );
}

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

function ago(iso: string, now: number, language: string): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  if (Number.isNaN(seconds)) return "–";
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  return step
    ? relative.format(Math.round(seconds / step[1]), step[0])
    : relative.format(0, "second");
}

export function useFormat(): Format {
  const { i18n } = useTranslation();
  return useMemo(() => formatIn(i18n.language), [i18n.language]);
}
