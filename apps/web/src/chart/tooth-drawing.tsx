import { findingCodes, findingGroups, surfaces } from "@arcada/contract/chart/chart.schema";
import type { ChartTooth, FindingGroup } from "@arcada/contract/chart/chart.schema";
import { isConfirmedFinding } from "@arcada/contract/chart/chart.rules";
import { jawOf } from "@arcada/contract/kernel/tooth-numbers";
import { surfacePolygons, mapSurfacesToSides } from "./surface-polygons.ts";
import { partsByPresence, getOutline, screwPath, threadsPath } from "./tooth-outline.ts";
import classes from "./tooth-drawing.module.css";

/** One tooth: its shape by state, its five surfaces, its crown's code and the signs of its findings. */
export function ToothDrawing({ tooth, name }: { tooth: ChartTooth; name: string }) {
  const parts = [
    <ToothShape key="shape" tooth={tooth} />,
    <ToothSurfaces key="fields" tooth={tooth} className={classes.fields} />,
    <FindingSigns key="signs" tooth={tooth} />,
    <span key="name" className={classes.name}>
      <b data-text={name} />
      <span className={classes.code} data-text={tooth.crown ?? (tooth.presence === "unknown" ? "?" : "–")} />
    </span>,
  ];
  return (
    <span className={classes.drawing} aria-hidden>
      {jawOf(tooth.fdi) === "maxilla" ? parts : parts.toReversed()}
    </span>
  );
}

function ToothShape({ tooth: { fdi, presence, confirmedBy } }: { tooth: ChartTooth }) {
  const glyph = getOutline(fdi);
  const part = partsByPresence[presence];
  const isUpper = jawOf(fdi) === "maxilla";
  return (
    <svg viewBox="0 0 40 56" className={classes.shape} data-presence={presence}>
      <g transform={isUpper ? undefined : "translate(0 56) scale(1 -1)"}>
        <g transform={part.transform}>
          {part.root && <path d={glyph.root} className={classes.root} />}
          {part.screw && <path d={screwPath} className={classes.screw} />}
          {part.screw && <path d={threadsPath} className={classes.thread} />}
          {part.crown && <path d={glyph.crown} className={classes.crown} />}
          {!part.crown && <path d={glyph.crown} className={classes.gone} />}
        </g>
        {part.transform && <path d="M2 50H38" className={classes.gum} />}
        {presence === "pontic" && <path d="M2 40H38" className={classes.thread} />}
        {part.cross && <path d="M6 8L34 50M34 8L6 50" className={classes.cross} />}
      </g>
      {confirmedBy && <path d={isUpper ? "M29 8L32 11L38 4" : "M29 50L32 53L38 46"} className={classes.confirmed} />}
    </svg>
  );
}

/** The surfaces of a tooth: hatched if something is suspected, filled if treated. */
export function ToothSurfaces({ tooth, className }: { tooth: ChartTooth; className?: string | undefined }) {
  const sides = mapSurfacesToSides(tooth.fdi);
  const has = (surface: (typeof surfaces)[number], group: FindingGroup) =>
    tooth.findings.some(
      (one) => isConfirmedFinding(one) && findingCodes[one.code] === group && one.surfaces.includes(surface),
    );
  return (
    <svg viewBox="0 0 40 40" className={className}>
      {surfaces.map((surface) => (
        <g key={surface}>
          <polygon
            points={surfacePolygons[sides[surface]]}
            className={classes.field}
            data-treated={has(surface, "treatment") || undefined}
          />
          {has(surface, "suspected") && (
            <polygon points={surfacePolygons[sides[surface]]} fill="url(#chart-hatch)" className={classes.hatched} />
          )}
        </g>
      ))}
    </svg>
  );
}

/** A triangle, a square and a disc for the three groups of findings, distinguishable without colour. */
export const signPaths: Record<FindingGroup, string> = {
  suspected: "M6 1L11 10H1Z",
  treatment: "M1.500 1.500H10.500V10.500H1.500Z",
  state: "M6 1A5 5 0 1 1 5.990 1Z",
};
export function FindingSign({ group }: { group: FindingGroup }) {
  return (
    <svg viewBox="0 0 12 12" className={classes.sign} data-group={group} aria-hidden>
      <path d={signPaths[group]} />
    </svg>
  );
}
function FindingSigns({ tooth }: { tooth: ChartTooth }) {
  const presentGroups = new Set(
    tooth.findings.filter(isConfirmedFinding).map(({ code }) => findingCodes[code] as FindingGroup),
  );
  return (
    <span className={classes.signs}>
      {findingGroups.map((group) => presentGroups.has(group) && <FindingSign key={group} group={group} />)}
    </span>
  );
}

/** The hatching pattern, defined once for the whole page. */
export function HatchPattern() {
  return (
    <svg className={classes.defs} aria-hidden focusable="false">
      <defs>
        <pattern id="chart-hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="2" height="4" className={classes.hatch} />
        </pattern>
      </defs>
    </svg>
  );
}
