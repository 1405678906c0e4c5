import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { EngineImage } from "../engine.ts";
import { frameToImage } from "./input-frame.ts";
import { createInputTensor } from "./model-tensors.ts";

interface FrameCase {
  name: string;
  film: [columns: number, rows: number];
  frame: [columns: number, rows: number];
  most: number;
  /** Every so manieth pixel of the frame is in `pixels`. */
  every: number;
  pixels: number[];
  /** The corners of the frame in pixels of the film. */
  inFilm: [left: number, top: number, right: number, bottom: number];
}
/** Written by `training/shared/frame_cases.py`, with the frames that training measures on. */
const cases = JSON.parse(
  readFileSync(new URL("../../../../training/shared/frame-cases.json", import.meta.url), "utf8"),
) as FrameCase[];

/** The same film as `draw_film` in Python draws. */
function drawFilm({ film: [columns, rows], most }: FrameCase): EngineImage {
  const samples = Float32Array.from({ length: columns * rows }, (_, at) => {
    const [x, y] = [at % columns, Math.floor(at / columns)];
    return Math.floor((((((x * x + 3 * y * y + x * y) % 251) + 2 * x) % 1021) * most) / 1021);
  });
  return { kind: "picture", shows: "panorama", columns, rows, samples, spacing: null };
}
const inputOf = ({ frame: [w, h] }: FrameCase) => ({ w, h, fit: "contain" }) as const;

it.each(cases)("frames $name as the evaluation in training does", (one) => {
  const input = { name: "in", channels: ["gray-unit" as const], equalise: false, ...inputOf(one) };
  const kept = createInputTensor(drawFilm(one), input).data.filter((_, at) => at % one.every === 0);
  const farthest = one.pixels.reduce((most, pixel, at) => Math.max(most, Math.abs(pixel - (kept[at] ?? NaN))), 0);
  expect(kept).toHaveLength(one.pixels.length);
  // The cases have four places.
  expect(farthest).toBeLessThan(1e-4);
});

it.each(cases)("leads from the frame back to $name as training does", (one) => {
  const toImage = frameToImage(drawFilm(one), inputOf(one));
  const corners = [...toImage(0, 0), ...toImage(...one.frame)];
  expect(corners).toEqual(one.inFilm.map((at) => expect.closeTo(at, 3) as number));
});
