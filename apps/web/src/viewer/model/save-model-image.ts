import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { projectToScreen } from "@arcada/imaging/view/model-camera";
import type { ScreenAnnotation } from "../annotations/layer/annotation-layer.tsx";
import { isOccluded, type PickableScene } from "./pick-point.ts";
import type { Pin } from "./pins/use-pins.ts";

/** The overlays of the models in a saved image. */
export interface ImageOverlays {
  annotations: readonly ScreenAnnotation[];
  pins: readonly Pin[];
  scene: PickableScene;
}

/** Pixels of a saved image for each CSS pixel of the screen. */
export const imageScale = 2;

export const backgrounds = { light: "#f1f3f5", dark: "#141517" } as const;

/** Saves the view as a PNG named after the first model, with measurements and comments if requested. */
export function saveModelImage(
  canvas: HTMLCanvasElement,
  over: ImageOverlays | null,
  models: readonly { name: string }[],
): void {
  if (over) drawOverlays(canvas, over);
  canvas.toBlob((blob) => {
    if (!blob) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${models[0]?.name ?? "scan"}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }, "image/png");
}

function drawOverlays(canvas: HTMLCanvasElement, { annotations, pins, scene }: ImageOverlays): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  context.scale(imageScale, imageScale);
  context.font = "600 13px sans-serif";
  context.lineJoin = "round";
  for (const { points, lines, label } of annotations) {
    for (const line of lines ?? [points]) drawLine(context, line);
    for (const [x, y] of points) drawDot(context, [x, y]);
    const [x, y] = points.at(-1) ?? [0, 0];
    label.split("\n").forEach((words, at) => drawText(context, words, [x + 10, y - 8 + 16 * at]));
  }
  for (const { number, point, text } of pins) {
    if (isOccluded(scene, point)) continue;
    const at = projectToScreen(scene.camera, scene.size, point);
    drawDot(context, at);
    drawText(context, `${number} ${text}`, [at[0] + 8, at[1] - 8]);
  }
}

const [light, dark] = ["#ffd43b", "#101113"];

function drawLine(context: CanvasRenderingContext2D, line: readonly Point2D[]): void {
  for (const [colour, width] of [
    [dark, 4],
    [light, 2],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    for (const [x, y] of line) context.lineTo(x, y);
    context.stroke();
  }
}

function drawDot(context: CanvasRenderingContext2D, [x, y]: Point2D): void {
  context.beginPath();
  context.arc(x, y, 3.5, 0, 2 * Math.PI);
  context.fillStyle = light;
  context.strokeStyle = dark;
  context.lineWidth = 1;
  context.fill();
  context.stroke();
}

function drawText(context: CanvasRenderingContext2D, words: string, [x, y]: Point2D): void {
  context.strokeStyle = dark;
  context.lineWidth = 4;
  context.strokeText(words, x, y);
  context.fillStyle = light;
  context.fillText(words, x, y);
}
