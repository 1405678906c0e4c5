import { createTheme } from "@mantine/core";
import type { CSSVariablesResolver, MantineColorsTuple, MantineThemeOverride } from "@mantine/core";
import { createShades } from "./colour-shades.ts";

// Named fonts precede system-ui: on Linux that name may resolve to another family for each weight.
const fonts = [
  "-apple-system",
  "'Segoe UI Variable Text'",
  "'Segoe UI'",
  "Roboto",
  "'Open Sans'",
  "'Noto Sans'",
  "'PingFang SC'",
  "'Hiragino Sans GB'",
  "'Microsoft YaHei'",
  "'Noto Sans CJK SC'",
  "'Noto Sans SC'",
  "'Source Han Sans SC'",
  "'Noto Sans Arabic'",
  "system-ui",
  "sans-serif",
].join(", ");

// Slate rather than neutral grey: shade 6 has a contrast of 5.6:1 on white, so that secondary text is readable.
const gray: MantineColorsTuple = [
  "#f6f8fb",
  "#eef2f6",
  "#e3e9f0",
  "#d3dbe5",
  "#b7c2d0",
  "#8b98a9",
  "#5d6b7e",
  "#445062",
  "#2e3848",
  "#1b2330",
];
const dark: MantineColorsTuple = [
  "#dbe3ee",
  "#b6c2d2",
  "#93a1b4",
  "#6d7c91",
  "#465367",
  "#333f51",
  "#263142",
  "#1b2533",
  "#141c28",
  "#0e141d",
];

const toColourTuple = (hex: string) => createShades(hex) as unknown as MantineColorsTuple;
// Mantine's own shades of these have less than 4.5:1 in a badge that writes a colour on its tint.
const namedColours = {
  red: toColourTuple("#e03131"),
  orange: toColourTuple("#e8590c"),
  yellow: toColourTuple("#e0a800"),
  green: toColourTuple("#2f9e44"),
  teal: toColourTuple("#0ca678"),
  cyan: toColourTuple("#1098ad"),
  blue: toColourTuple("#1c7ed6"),
  indigo: toColourTuple("#4263eb"),
  violet: toColourTuple("#7048e8"),
  grape: toColourTuple("#ae3ec9"),
};

// The header of a dialog is not a banner landmark of the page.
const plainHeader = { header: { role: "presentation" } };
// Titles that name an institution take two lines.
const title = { fontWeight: 600, lineHeight: 1.35 };

/** Returns the theme of a primary colour. Every shade under white text is dark enough for it. */
export const createAppTheme = (primary: string, scale = 1): MantineThemeOverride =>
  createTheme({
    scale,
    primaryColor: "brand",
    primaryShade: { light: 6, dark: 6 },
    colors: { brand: toColourTuple(primary), ...namedColours, gray, dark },
    autoContrast: true,
    // The luminance at which black and white text have the same contrast on a colour: both 4.58:1.
    luminanceThreshold: 0.179,
    black: "#1b2330",
    fontFamily: fonts,
    fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
    headings: {
      fontFamily: fonts,
      fontWeight: "650",
      sizes: {
        h1: { fontSize: "1.5rem", lineHeight: "1.3" },
        h2: { fontSize: "1.25rem", lineHeight: "1.35" },
        h3: { fontSize: "1rem", lineHeight: "1.5" },
        h4: { fontSize: "0.875rem", lineHeight: "1.45" },
      },
    },
    defaultRadius: "md",
    radius: { xs: "4px", sm: "6px", md: "8px", lg: "12px", xl: "20px" },
    shadows: {
      xs: "0 1px 2px rgba(27, 35, 48, 0.06)",
      sm: "0 1px 3px rgba(27, 35, 48, 0.08), 0 1px 2px rgba(27, 35, 48, 0.04)",
      md: "0 6px 20px -6px rgba(27, 35, 48, 0.16), 0 2px 6px rgba(27, 35, 48, 0.06)",
      lg: "0 18px 44px -12px rgba(27, 35, 48, 0.24)",
    },
    cursorType: "pointer",
    respectReducedMotion: true,
    components: {
      Badge: { defaultProps: { tt: "none", fw: 600 } },
      Button: { defaultProps: { fw: 550 } },
      Paper: { defaultProps: { radius: "lg" } },
      Table: { defaultProps: { borderColor: "var(--arcada-line)" } },
      Drawer: { defaultProps: { attributes: plainHeader }, styles: { title } },
      Modal: {
        defaultProps: {
          attributes: plainHeader,
          centered: true,
          radius: "lg",
          overlayProps: { backgroundOpacity: 0.45 },
          transitionProps: { duration: 120 },
        },
        styles: { title },
      },
      Tooltip: { defaultProps: { openDelay: 250, withArrow: true } },
      Menu: {
        defaultProps: {
          shadow: "md",
          radius: "md",
          transitionProps: { duration: 90 },
          // A menu may contain only its items, not the placeholder for the initial focus.
          withInitialFocusPlaceholder: false,
        },
      },
    },
  });

export const themeVariables: CSSVariablesResolver = (theme) => ({
  variables: {},
  light: {
    "--mantine-color-body": "#ffffff",
    "--mantine-color-dimmed": theme.colors.gray[6],
    "--mantine-color-placeholder": theme.colors.gray[6],
    "--mantine-color-default-border": theme.colors.gray[3],
    "--mantine-color-error": "#c9252d",
    "--arcada-page": "#f4f7fa",
    "--arcada-card": "#ffffff",
    "--arcada-frame": theme.colors.gray[0],
    "--arcada-hover": "rgba(27, 35, 48, 0.05)",
    "--arcada-line": theme.colors.gray[2],
    "--arcada-tint": theme.colors["brand"]![0],
    "--arcada-on-tint": theme.colors["brand"]![7],
  },
  dark: {
    "--mantine-color-body": theme.colors.dark[8],
    "--mantine-color-dimmed": theme.colors.dark[2],
    "--mantine-color-placeholder": theme.colors.dark[2],
    "--mantine-color-default-border": theme.colors.dark[5],
    "--mantine-color-error": "#ff8a8a",
    "--arcada-page": theme.colors.dark[9],
    "--arcada-card": theme.colors.dark[8],
    "--arcada-frame": theme.colors.dark[9],
    "--arcada-hover": "rgba(219, 227, 238, 0.07)",
    "--arcada-line": theme.colors.dark[6],
    "--arcada-tint": `color-mix(in srgb, ${theme.colors["brand"]![5]} 22%, transparent)`,
    "--arcada-on-tint": theme.colors["brand"]![2],
  },
});
