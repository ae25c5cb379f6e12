/** Colours of series that stay apart for people with colour-blindness (after Okabe and Ito). */
export const SERIES = {
  light: ["#3450a3", "#b4530a", "#00796b", "#8a3f86", "#6b5b00", "#2b7fb8"],
  dark: ["#9db4f2", "#f0995a", "#5fd3c0", "#dc9ad8", "#d9c65a", "#7cc4ee"],
} as const;

/** The colours of axes, lines and texts. */
export const INK = {
  light: { text: "#2b303b", faint: "#5a6273", line: "#d8dce6", ground: "#ffffff" },
  dark: { text: "#d7dbe3", faint: "#a1a9b8", line: "#3a404c", ground: "#1c1f26" },
} as const;
