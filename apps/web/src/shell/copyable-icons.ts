import { icons } from "virtual:icons-in-use";
import { toothShapes } from "../ui/tooth-chart/tooth-chart-layout.ts";

/** An icon of 24 by 24, drawn as strokes in the text colour. */
export interface CatalogueIcon {
  name: string;
  tooth?: number;
  parts: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
}

export const interfaceIcons: readonly CatalogueIcon[] = Object.entries(icons).map(([name, parts]) => ({
  name: name
    .replace(/^Icon/, "")
    .replace(/(?<!^)([A-Z]|\d+)/g, "-$1")
    .toLowerCase(),
  parts,
}));

const drawingSize = 20;
/** Each tooth as the chart draws it from above, upright and scaled to the icon. */
export const toothIcons: readonly CatalogueIcon[] = [
  ...toothShapes.permanent.values(),
  ...toothShapes.deciduous.values(),
].map(({ tooth, outline, furrows }): CatalogueIcon => {
  const scale = drawingSize / Math.max(...measureOutline(outline));
  const place = `translate(12 12) scale(${scale.toFixed(3)})`;
  const line = { transform: place, "vector-effect": "non-scaling-stroke" };
  return {
    name: `tooth-${tooth}`,
    tooth,
    parts: [["path", { d: outline, ...line }], ...(furrows ? [["path", { d: furrows, ...line }] as const] : [])],
  };
});

/** Returns the width and height of a shape that is drawn around its own centre. */
function measureOutline(outline: string): [number, number] {
  const numbers = (outline.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
  const most = (of: number[]) => 2 * Math.max(...of.map(Math.abs));
  return [most(numbers.filter((_, at) => at % 2 === 0)), most(numbers.filter((_, at) => at % 2 === 1))];
}

/** Returns the SVG that a click copies. */
export function toSvg({ parts }: CatalogueIcon): string {
  const inner = parts.map(([tag, attributes]) => {
    const attributeTexts = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`);
    return `<${tag} ${attributeTexts.join(" ")}/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${inner.join("")}</svg>`;
}
