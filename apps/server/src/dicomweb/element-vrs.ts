import { readFileSync } from "node:fs";

/** Value representations, and under each the elements that have it: by group, the element numbers. */
const table = JSON.parse(readFileSync(new URL("./element-vrs.json", import.meta.url), "utf8")) as Record<
  string,
  Record<string, string>
>;

/** "xs": US, or SS where the pixels are signed. */
const vrs = new Map(
  Object.entries(table).flatMap(([vr, groups]) =>
    Object.entries(groups).flatMap(([group, elements]) =>
      elements.split(" ").map((element) => [group + element, vr] as const),
    ),
  ),
);

/**
 * The value representation of an element by PS3.6, for files that do not state it; UN for one that is not in the
 * standard.
 * @param tag eight hexadecimal digits, upper case
 * @param isSigned Pixel Representation (0028,0103) is 1
 */
export function lookUpVr(tag: string, isSigned = false): string {
  // PS3.5 7.8.1: the elements that reserve blocks of a private group.
  if (/^[\dA-F]{3}[13579BDF]00[1-9A-F][\dA-F]$/.test(tag)) return "LO";
  // PS3.5 7.6: curves and overlays have repeating groups.
  const vr = vrs.get(/^(50|60)/.test(tag) ? `${tag.slice(0, 2)}00${tag.slice(4)}` : tag) ?? "UN";
  return vr === "xs" ? (isSigned ? "SS" : "US") : vr;
}
