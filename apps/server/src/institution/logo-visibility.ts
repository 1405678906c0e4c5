import { logoRules } from "@arcada/contract/institution/institution.calls";
import type { LogoWarning, LogoPosition } from "@arcada/contract/institution/institution.calls";

/** Pixels as red, green, blue, alpha, one byte each, row by row. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}
export interface LogoVerdict {
  refusal: "logoNotWhite" | "logoWhite" | null;
  advice: LogoWarning[];
}

/**
 * Checks that a logo is visible at its place: a cover is dark and needs white on a transparent background, an inside
 * page is white. Only clear mistakes are refused; the rest is a matter of taste and is returned as advice.
 */
export function checkLogoVisibility(place: LogoPosition, pixels: Pixels): LogoVerdict {
  const shares = measureShares(pixels);
  const { refusal, advice } = place === "cover" ? checkOnDark(shares) : checkOnWhite(shares);
  return { refusal, advice: [...adviseOnShape(pixels), ...advice] };
}

/**
 * Shares of pixels. `white`: of the opaque pixels, those that are white. `covered` and `coloured`: of the whole image,
 * the pixels that are opaque, and those that are opaque and not white.
 */
interface Shares {
  white: number;
  covered: number;
  coloured: number;
}

const minOpaqueAlpha = 128;
const minWhite = 225;
/** Values that look white, though not quite: light grey or cream. */
const minPale = 200;

function measureShares({ data, width, height }: Pixels): Shares & { pale: number } {
  let [opaque, white, pale] = [0, 0, 0];
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3]! < minOpaqueAlpha) continue;
    opaque += 1;
    const darkest = Math.min(data[at]!, data[at + 1]!, data[at + 2]!);
    if (darkest >= minWhite) white += 1;
    else if (darkest >= minPale) pale += 1;
  }
  const all = Math.max(1, width * height);
  const some = Math.max(1, opaque);
  return { white: white / some, pale: pale / some, covered: opaque / all, coloured: (opaque - white) / all };
}

function checkOnDark({ white, covered }: Shares): LogoVerdict {
  // An empty image, or more than half of it in colour.
  if (covered === 0 || white < 0.5) return { refusal: "logoNotWhite", advice: [] };
  const advice: LogoWarning[] = [];
  if (white < 0.95) advice.push("partlyWhite");
  if (covered > 0.99) advice.push("notTransparent");
  return { refusal: null, advice };
}

function checkOnWhite({ coloured, pale, covered, white }: Shares & { pale: number }): LogoVerdict {
  if (coloured < 0.002) return { refusal: "logoWhite", advice: [] };
  const seen = covered * (1 - white);
  return { refusal: null, advice: pale * covered > seen * 0.8 ? ["pale"] : [] };
}

function adviseOnShape({ width, height }: Pixels): LogoWarning[] {
  const wide = width / Math.max(1, height);
  const best = logoRules.width / logoRules.height;
  return [
    ...(wide < best / 2 || wide > best * 2 ? (["shape"] as const) : []),
    ...(width < logoRules.width && height < logoRules.height ? (["small"] as const) : []),
  ];
}
