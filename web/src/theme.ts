import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

/** The one accent: the blue of a sharpened blade. */
const steel: MantineColorsTuple = [
  "#eef2fc",
  "#dbe2f4",
  "#b4c2e7",
  "#8a9fda",
  "#6882cf",
  "#526fc8",
  "#4665c6",
  "#3755af",
  "#3450a3",
  "#24408a",
];

/** Neutrals of the dark colours, with a little of the same blue in them. */
const dark: MantineColorsTuple = [
  "#dfe3ea",
  "#c3c9d4",
  "#a1a9b8",
  "#7d8696",
  "#454c59",
  "#343a45",
  "#282c35",
  "#1c1f26",
  "#15171c",
  "#101216",
];

const SANS = [
  "system-ui",
  "-apple-system",
  '"Segoe UI"',
  "Roboto",
  '"Noto Sans"',
  '"PingFang SC"',
  '"Microsoft YaHei"',
  '"Noto Sans CJK SC"',
  "sans-serif",
].join(", ");
const MONO =
  'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace';

export const theme = createTheme({
  primaryColor: "steel",
  primaryShade: { light: 7, dark: 5 },
  colors: { steel, dark },
  autoContrast: true,
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  headings: {
    fontFamily: SANS,
    fontWeight: "620",
    sizes: {
      h1: { fontSize: "1.5rem", lineHeight: "1.3" },
      h2: { fontSize: "1.0625rem", lineHeight: "1.4" },
      h3: { fontSize: "0.9375rem", lineHeight: "1.4" },
    },
  },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Card: { defaultProps: { withBorder: true, radius: "md", padding: "md" } },
    Table: { defaultProps: { verticalSpacing: "xs", horizontalSpacing: "sm" } },
    Anchor: { defaultProps: { underline: "hover" } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true, multiline: true, maw: 320 } },
  },
});

/**
 * Colours that say something. Good and bad are bluish green and vermilion, which also people with
 * colour-blindness tell apart, and each stands beside a sign or a word. All have at least 4.5 : 1 as
 * text on the page and on their own soft ground.
 */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#fbfbfd",
    "--mantine-color-text": "#1b1f27",
    "--mantine-color-dimmed": "#5a6273",
    "--mantine-color-error": "#a8380b",
    "--whet-surface": "#ffffff",
    "--whet-line": "#e3e6ee",
    "--whet-good": "#00695c",
    "--whet-good-soft": "#dcf1ed",
    "--whet-bad": "#a8380b",
    "--whet-bad-soft": "#fbe6dc",
    "--whet-warn": "#7a5200",
    "--whet-warn-soft": "#fbeecb",
    "--whet-busy": "#3450a3",
    "--whet-busy-soft": "#e3e9f8",
    "--whet-idle": "#505869",
    "--whet-idle-soft": "#eceef3",
  },
  dark: {
    "--mantine-color-body": "#15171c",
    "--mantine-color-text": "#dfe3ea",
    "--mantine-color-anchor": "#9db4f2",
    "--mantine-color-default": "#20242c",
    "--mantine-color-default-hover": "#2a2e37",
    "--mantine-color-default-border": "#3a404c",
    "--mantine-color-dimmed": "#a1a9b8",
    "--mantine-color-error": "#ff9d73",
    "--whet-surface": "#1c1f26",
    "--whet-line": "#2e333d",
    "--whet-good": "#5fd3c0",
    "--whet-good-soft": "#12352f",
    "--whet-bad": "#ff9d73",
    "--whet-bad-soft": "#43210f",
    "--whet-warn": "#f0c259",
    "--whet-warn-soft": "#3b2d0a",
    "--whet-busy": "#9db4f2",
    "--whet-busy-soft": "#1f2a47",
    "--whet-idle": "#b4bbc8",
    "--whet-idle-soft": "#2a2e37",
  },
});
