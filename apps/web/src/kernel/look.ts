import { toothSchemes } from "@arcada/contract/kernel/tooth";
import type { ToothScheme } from "@arcada/contract/kernel/tooth";
import { keepPreference, readCookie } from "./cookies.ts";
import { createStore, useStore } from "./store.ts";

/** The eight colours of the settings drawer; the first is the default. Dark is the ninth choice. */
export const presets = [
  "#409EFF",
  "#1890ff",
  "#304156",
  "#11a983",
  "#13c2c2",
  "#6959CD",
  "#b3477a",
  "#f5222d",
] as const;

export const sizes = ["small", "medium", "large"] as const;
export type Size = (typeof sizes)[number];
/** Scale factor of the whole interface, by size. */
export const scaleOf: Record<Size, number> = { small: 0.9, medium: 1, large: 1.12 };

/** The appearance settings of this browser, kept in a cookie. */
export interface Look {
  colour: string;
  dark: boolean;
  tags: boolean;
  fixedHeader: boolean;
  logo: boolean;
  sidebar: boolean;
  /** Menu titles can be searched by their pinyin; offered in Chinese only. */
  pinyin: boolean;
  size: Size;
  /** The tooth notation. */
  teeth: ToothScheme;
}
export const usualLook: Look = {
  colour: presets[0],
  dark: false,
  tags: true,
  fixedHeader: true,
  logo: false,
  sidebar: true,
  pinyin: true,
  size: "medium",
  teeth: "fdi",
};

export const lookCookie = "look";
const look = createStore<Look>(usualLook);

export const useLook = (): Look => useStore(look);
export function changeLook(change: Partial<Look>): void {
  look.set((now) => ({ ...now, ...change }));
  keepPreference(lookCookie, JSON.stringify(look.get()));
}

export const startLook = (): void => look.set(parseLook(readCookie(lookCookie)));

/** Parses the appearance settings from a cookie; values that make no sense become the defaults. */
export function parseLook(text: string | undefined): Look {
  try {
    const kept = JSON.parse(text ?? "{}") as Partial<Record<keyof Look, unknown>>;
    const flag = (name: Exclude<keyof Look, "colour" | "size" | "teeth">) =>
      typeof kept[name] === "boolean" ? kept[name] : usualLook[name];
    const colour = presets.find((preset) => preset === kept.colour) ?? usualLook.colour;
    return {
      colour,
      dark: flag("dark"),
      tags: flag("tags"),
      fixedHeader: flag("fixedHeader"),
      logo: flag("logo"),
      sidebar: flag("sidebar"),
      pinyin: flag("pinyin"),
      size: sizes.find((size) => size === kept.size) ?? usualLook.size,
      teeth: toothSchemes.find((scheme) => scheme === kept.teeth) ?? usualLook.teeth,
    };
  } catch {
    return usualLook;
  }
}
