import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { getCrownAxisEnd, listAttachmentBodies } from "../attachments/attachment-bodies.ts";
import type { Implant } from "../implant-plan.ts";
import type { PlanProjection } from "../plan-projection.ts";
import type { Arch } from "../../use-arch.ts";
import { formatGapFigure, isTooNear, listDistances } from "../plan-warnings.ts";

/** Colours on a radiograph on paper, where no theme applies; the same roles as on the screen. */
const colours = {
  implant: "#38d9a9",
  warning: "#ff8787",
  abutment: "#ced4da",
  sleeve: "#91a7ff",
  crown: "#a9e34b",
  canal: "#ffa94d",
  sinus: "#b197fc",
  root: "#ffe066",
  gap: "#f8f9fa",
  halo: "rgb(0 0 0 / 70%)",
} as const;
const [lineWidth, fontPixels] = [3, 22];
/** mm; a longer distance crosses the whole picture and says nothing. */
const maxShownMm = 10;

/** Draws the plan over a picture. `only`: the implant whose distances are written; null: those that are too small. */
export function drawPlanOnCanvas(
  context: CanvasRenderingContext2D,
  arch: Arch,
  view: PlanProjection,
  only: Implant | null,
): void {
  context.lineJoin = "round";
  for (const { tube } of arch.canals) drawDiscs(context, view.discs(tube), colours.canal);
  for (const { tube } of arch.sinuses) drawDiscs(context, view.discs(tube), colours.sinus);
  for (const { root } of arch.roots) drawOutline(context, view.rootOutline(root), colours.root, [8, 5]);
  for (const [at, implant] of arch.implants.entries()) drawImplant(context, arch, view, implant, at + 1);
  for (const implant of arch.implants) drawGaps(context, arch, view, implant, only === implant);
}

function drawImplant(
  context: CanvasRenderingContext2D,
  { safetyDistances }: Arch,
  view: PlanProjection,
  implant: Implant,
  number: number,
): void {
  const { body } = implant;
  for (const part of listAttachmentBodies(implant)) drawOutline(context, view.outline(part.body), colours[part.kind]);
  const outline = view.outline(body);
  if (outline.length < 3) return;
  const isNear = listDistances(implant, safetyDistances).some((gap) => isTooNear(gap, safetyDistances));
  drawOutline(context, outline, isNear ? colours.warning : colours.implant);
  const end = getCrownAxisEnd(implant);
  if (end) drawLine(context, [view.toViewport(body.head), view.toViewport(end)], colours.crown, [12, 6]);
  const [x, y] = view.toViewport(body.head);
  drawText(context, String(number), x + 6, y - 6, isNear ? colours.warning : colours.implant);
}

function drawGaps(
  context: CanvasRenderingContext2D,
  { safetyDistances }: Arch,
  view: PlanProjection,
  implant: Implant,
  isOnly: boolean,
): void {
  for (const gap of listDistances(implant, safetyDistances)) {
    const isNear = isTooNear(gap, safetyDistances);
    const ends = gap.mm > 0 && (isNear || (isOnly && gap.mm <= maxShownMm)) ? view.lineEnds(gap) : null;
    if (!ends) continue;
    const colour = isNear ? colours.warning : colours.gap;
    drawLine(context, ends, colour, []);
    const [[ax, ay], [bx, by]] = ends;
    drawText(context, `${formatGapFigure(gap, safetyDistances)} mm`, Math.max(ax, bx) + 8, (ay + by) / 2 + 8, colour);
  }
}

function drawDiscs(
  context: CanvasRenderingContext2D,
  discs: ReturnType<PlanProjection["discs"]>,
  colour: string,
): void {
  context.fillStyle = colour;
  context.globalAlpha = 0.5;
  context.beginPath();
  for (const {
    at: [x, y],
    radius,
  } of discs) {
    const width = Math.max(2, radius);
    context.moveTo(x + width, y);
    context.arc(x, y, width, 0, 2 * Math.PI);
  }
  context.fill();
  context.globalAlpha = 1;
}

function drawOutline(
  context: CanvasRenderingContext2D,
  outline: readonly Point2D[],
  colour: string,
  dash: number[] = [],
): void {
  if (outline.length < 3) return;
  const path = new Path2D(`M${outline.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")}Z`);
  context.setLineDash(dash);
  context.fillStyle = colour;
  context.globalAlpha = 0.18;
  context.fill(path);
  context.globalAlpha = 1;
  context.strokeStyle = colour;
  context.lineWidth = lineWidth;
  context.stroke(path);
  context.setLineDash([]);
}

function drawLine(
  context: CanvasRenderingContext2D,
  [[ax, ay], [bx, by]]: readonly [Point2D, Point2D],
  colour: string,
  dash: number[],
): void {
  context.setLineDash(dash);
  context.strokeStyle = colour;
  context.lineWidth = lineWidth;
  context.beginPath();
  context.moveTo(ax, ay);
  context.lineTo(bx, by);
  context.stroke();
  context.setLineDash([]);
}

function drawText(context: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string): void {
  context.font = `600 ${fontPixels}px system-ui, sans-serif`;
  const left = Math.min(x, context.canvas.width - context.measureText(text).width - 4);
  context.strokeStyle = colours.halo;
  context.lineWidth = 5;
  context.strokeText(text, left, y);
  context.fillStyle = colour;
  context.fillText(text, left, y);
}
