import type { Spot } from "@arcada/imaging/view/measure";
import { toScreen } from "@arcada/imaging/view/model-camera";
import type { ShownMark } from "../marks/marks-layer.tsx";
import { isCovered, type Pickable } from "./picking.ts";
import type { Pin } from "./pins/use-pins.ts";

/** The overlays of the models in a saved image. */
export interface PictureMarks {
  marks: readonly ShownMark[];
  pins: readonly Pin[];
  scene: Pickable;
}

/** Pixels of a saved image for each CSS pixel of the screen. */
export const pictureFactor = 2;

export const grounds = { light: "#f1f3f5", dark: "#141517" } as const;

/** Saves the view as a PNG named after the first model, with measurements and comments if requested. */
export function savePicture(
  canvas: HTMLCanvasElement,
  over: PictureMarks | null,
  models: readonly { name: string }[],
): void {
  if (over) drawMarks(canvas, over);
  canvas.toBlob((blob) => {
    if (!blob) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${models[0]?.name ?? "scan"}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }, "image/png");
}

function drawMarks(canvas: HTMLCanvasElement, { marks, pins, scene }: PictureMarks): void {
  const brush = canvas.getContext("2d");
  if (!brush) return;
  brush.scale(pictureFactor, pictureFactor);
  brush.font = "600 13px sans-serif";
  brush.lineJoin = "round";
  for (const { points, lines, label } of marks) {
    for (const line of lines ?? [points]) stroke(brush, line);
    for (const [x, y] of points) dot(brush, [x, y]);
    const [x, y] = points.at(-1) ?? [0, 0];
    label.split("\n").forEach((words, at) => write(brush, words, [x + 10, y - 8 + 16 * at]));
  }
  for (const { number, point, text } of pins) {
    if (isCovered(scene, point)) continue;
    const at = toScreen(scene.camera, scene.size, point);
    dot(brush, at);
    write(brush, `${number} ${text}`, [at[0] + 8, at[1] - 8]);
  }
}

const [light, dark] = ["#ffd43b", "#101113"];

function stroke(brush: CanvasRenderingContext2D, line: readonly Spot[]): void {
  for (const [colour, width] of [
    [dark, 4],
    [light, 2],
  ] as const) {
    brush.strokeStyle = colour;
    brush.lineWidth = width;
    brush.beginPath();
    for (const [x, y] of line) brush.lineTo(x, y);
    brush.stroke();
  }
}

function dot(brush: CanvasRenderingContext2D, [x, y]: Spot): void {
  brush.beginPath();
  brush.arc(x, y, 3.5, 0, 2 * Math.PI);
  brush.fillStyle = light;
  brush.strokeStyle = dark;
  brush.lineWidth = 1;
  brush.fill();
  brush.stroke();
}

function write(brush: CanvasRenderingContext2D, words: string, [x, y]: Spot): void {
  brush.strokeStyle = dark;
  brush.lineWidth = 4;
  brush.strokeText(words, x, y);
  brush.fillStyle = light;
  brush.fillText(words, x, y);
}
