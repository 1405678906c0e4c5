import { toothSchemes } from "@arcada/contract/kernel/tooth-schemes";
import type { ToothScheme } from "@arcada/contract/kernel/tooth-schemes";
import type { StartPage } from "@arcada/contract/start-page";
import { storePreference, readCookie } from "./cookies.ts";
import { createStore, useStore } from "./external-store.ts";

/** The eight colours of the settings drawer; the first is the default. Dark is the ninth choice. */
export const colourPresets = [
  "#409EFF",
  "#1890ff",
  "#304156",
  "#11a983",
  "#13c2c2",
  "#6959CD",
  "#b3477a",
  "#f5222d",
] as const;

export const interfaceSizes = ["small", "medium", "large"] as const;
export type InterfaceSize = (typeof interfaceSizes)[number];
/** Scale factor of the whole interface, by size. */
export const sizeScales: Record<InterfaceSize, number> = { small: 0.9, medium: 1, large: 1.12 };

/** The appearance settings of this browser, kept in a cookie. */
export interface Appearance {
  colour: string;
  dark: boolean;
  tags: boolean;
  fixedHeader: boolean;
  logo: boolean;
  sidebar: boolean;
  /** The start page is the work of the day, not the list of patients or orders. */
  today: boolean;
  /** Menu titles can be searched by their pinyin; offered in Chinese only. */
  pinyin: boolean;
  size: InterfaceSize;
  /** Viewers take the whole window, without sidebar, top bar and tabs. */
  fullWindow: boolean;
  /** Viewers show a strip of the patient's other studies. */
  studyStrip: boolean;
  /** The tooth notation. */
  teeth: ToothScheme;
}
export const defaultAppearance: Appearance = {
  colour: colourPresets[0],
  dark: false,
  tags: true,
  fixedHeader: true,
  logo: false,
  sidebar: true,
  today: true,
  pinyin: true,
  size: "medium",
  fullWindow: true,
  studyStrip: true,
  teeth: "fdi",
};

export const appearanceCookie = "look";
const appearance = createStore<Appearance>(defaultAppearance);

/** The appearance settings, outside of components. */
export const currentAppearance = (): Appearance => appearance.get();
export const useAppearance = (): Appearance => useStore(appearance);
/** The page with which a session starts in this browser. */
export const getStartPage = (): StartPage => (appearance.get().today ? "today" : "list");
export function changeAppearance(change: Partial<Appearance>): void {
  appearance.set((now) => ({ ...now, ...change }));
  storePreference(appearanceCookie, JSON.stringify(appearance.get()));
}

export const loadAppearance = (): void => appearance.set(parseAppearance(readCookie(appearanceCookie)));

/** Parses the appearance settings from a cookie; values that make no sense become the defaults. */
export function parseAppearance(text: string | undefined): Appearance {
  try {
    const stored = JSON.parse(text ?? "{}") as Partial<Record<keyof Appearance, unknown>>;
    const flag = (name: Exclude<keyof Appearance, "colour" | "size" | "teeth">) =>
      typeof stored[name] === "boolean" ? stored[name] : defaultAppearance[name];
    const colour = colourPresets.find((preset) => preset === stored.colour) ?? defaultAppearance.colour;
    return {
      colour,
      dark: flag("dark"),
      tags: flag("tags"),
      fixedHeader: flag("fixedHeader"),
      logo: flag("logo"),
      sidebar: flag("sidebar"),
      today: flag("today"),
      pinyin: flag("pinyin"),
      fullWindow: flag("fullWindow"),
      studyStrip: flag("studyStrip"),
      size: interfaceSizes.find((size) => size === stored.size) ?? defaultAppearance.size,
      teeth: toothSchemes.find((scheme) => scheme === stored.teeth) ?? defaultAppearance.teeth,
    };
  } catch {
    return defaultAppearance;
  }
}
