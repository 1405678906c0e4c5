import type { EngineImage } from "@arcada/analysis/engine";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createPanoramaPixels, panoramaSize } from "@arcada/phantom/radiograph/panorama";

/** Returns a drawn panorama, enlarged to the 2,800 × 1,400 pixels that a machine gives: for measuring engines. */
export function createLargePanorama(): EngineImage {
  const [columns, rows] = [2800, 1400];
  const drawn = createPanoramaPixels(makeHead("three"));
  const samples = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    const from = Math.floor((row * panoramaSize.rows) / rows) * panoramaSize.columns;
    for (let column = 0; column < columns; column++)
      samples[row * columns + column] = drawn[from + Math.floor((column * panoramaSize.columns) / columns)] ?? 0;
  }
  return { kind: "picture", shows: "panorama", columns, rows, samples, spacing: null };
}
