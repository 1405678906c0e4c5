import { describe, expect, it } from "vitest";
import { defaultJaw } from "@arcada/imaging/arch/arch-display-settings";
import { decodeArchImages, encodeArchImages, renderArchImages } from "@arcada/imaging/arch/arch-images";
import { createCurvedSurface } from "@arcada/imaging/arch/curved-surface";
import { guessArch } from "@arcada/imaging/arch/detection/detect-arches";
import { computeVolumeWindow, createToneFunction } from "@arcada/imaging/image/voi-window";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import { buildPreview } from "@arcada/imaging/volume/volume-preview";
import { createCbctVolume } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { present } from "@arcada/testing/require-present";
import { chooseArchViews, renderArchViews, resampleArchViews, type ReformattedImage } from "./arch-viewport-images.ts";

const size = { columns: 256, rows: 256, slices: 160, voxel: 0.6 };
const { origin, data } = createCbctVolume(makeHead("arch in viewports"), size);
const whole: VolumeInfo = {
  ...size,
  spacing: [size.voxel, size.voxel, size.voxel],
  origin: [...origin],
  direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  min: -1000,
  max: 4000,
  valueOffset: 0,
  valueScale: 1,
  window: computeVolumeWindow(data),
  valueName: "grey",
};
const preview = buildPreview(whole, data, 2);
const guess = present(guessArch(preview.info, preview.data));
const line = { points: guess[defaultJaw], up: guess.up };
const path = present(createCurvedSurface(line.points, line.up));
const archImages = decodeArchImages(
  Uint8Array.from(encodeArchImages(present(renderArchImages(whole, preview, line)))).buffer,
);
const surface = { ...path, bend: present(archImages.bend) };

const cells = (count: number, width: number, height: number) =>
  Array.from({ length: count }, () => ({ width, height }));

describe.each([
  { name: "1440 x 900", panorama: { width: 1440, height: 353 }, crossSections: cells(6, 160, 353) },
  { name: "1920 x 1080", panorama: { width: 1920, height: 443 }, crossSections: cells(9, 142, 443) },
  { name: "390 x 844", panorama: { width: 390, height: 620 }, crossSections: cells(9, 130, 207) },
])("the first panorama and cross-sections of a window of $name", (sizes) => {
  const views = chooseArchViews(path, whole, preview.info, sizes);
  const rendered = renderArchViews(preview, surface, views);
  const stored = present(resampleArchViews(archImages, views));

  it("have the shades of those that are rendered from the preview", () => {
    expect(stored.crossSections).toHaveLength(sizes.crossSections.length);
    const pairs: [ReformattedImage, ReformattedImage][] = [
      [present(stored.panorama), present(rendered.panorama)],
      ...stored.crossSections.map((one, at): [ReformattedImage, ReformattedImage] => [
        one,
        present(rendered.crossSections[at]),
      ]),
    ];
    for (const [one, other] of pairs) {
      expect([one.width, one.height]).toEqual([other.width, other.height]);
      const { mean, least } = compare(one, other);
      expect(mean).toBeLessThan(1.5);
      // A shift of a pixel is seen.
      expect(least).toBeGreaterThan(2 * mean);
    }
  });
});

/** The mean difference of shades, and the least of those of images that are shifted by a pixel. */
function compare(one: ReformattedImage, other: ReformattedImage): { mean: number; least: number } {
  const tone = createToneFunction(whole.window);
  const meanDifference = (right: number, down: number): number => {
    let [sum, count] = [0, 0];
    for (let row = 1; row < one.height - 1; row++)
      for (let column = 1; column < one.width - 1; column++) {
        const shade = tone(one.values[(row + down) * one.width + column + right] ?? 0);
        sum += Math.abs(shade - tone(other.values[row * one.width + column] ?? 0));
        count++;
      }
    return sum / count;
  };
  const shifts = [meanDifference(1, 0), meanDifference(-1, 0), meanDifference(0, 1), meanDifference(0, -1)];
  return { mean: meanDifference(0, 0), least: Math.min(...shifts) };
}

it("a viewport that shows other cross-sections gets none of the stored ones", () => {
  const views = chooseArchViews(path, whole, preview.info, { panorama: null, crossSections: cells(12, 100, 200) });
  expect(resampleArchViews(archImages, views)).toBeNull();
});
