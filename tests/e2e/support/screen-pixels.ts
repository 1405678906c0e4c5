import sharp from "sharp";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface Pixels {
  /** Grey values of what a person sees there. */
  values: Uint8Array;
  /** The standard deviation of the values: 0 if nothing is drawn. */
  spread: number;
}

/** Returns the pixels in the middle of an element, without its corners, which contain text. */
export async function readDrawnPixels(what: Locator): Promise<Pixels> {
  const { x, y, width, height } = await getBox(what);
  return readPixels(what.page(), { x: x + width * 0.3, y: y + height * 0.3, width: width * 0.4, height: height * 0.4 });
}

export async function getBox(what: Locator): Promise<Box> {
  const box = await what.boundingBox();
  if (!box) throw new Error("What was to be looked at is not on the page");
  return box;
}

async function readPixels(page: Page, clip: Box): Promise<Pixels> {
  const values = new Uint8Array(
    await sharp(await page.screenshot({ clip }))
      .greyscale()
      .raw()
      .toBuffer(),
  );
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { values, spread: Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) };
}

/** Returns the mean difference of two captures of the same place. */
export function difference(one: Pixels, other: Pixels): number {
  if (one.values.length !== other.values.length) return 255;
  return one.values.reduce((sum, value, at) => sum + Math.abs(value - other.values[at]), 0) / one.values.length;
}

/** Waits until something is drawn. */
export async function waitUntilDrawn(what: Locator): Promise<void> {
  await expect
    .poll(async () => (await readDrawnPixels(what)).spread, { timeout: 40_000, message: "nothing is drawn" })
    .toBeGreaterThan(2);
}

/** Performs an action and waits until the image changes. */
export async function expectImageChange(
  what: Locator,
  action: () => Promise<unknown>,
  minDifference = 0.5,
): Promise<void> {
  const before = await readDrawnPixels(what);
  await action();
  await expect
    .poll(async () => difference(before, await readDrawnPixels(what)), {
      timeout: 20_000,
      message: "the picture stays as it was",
    })
    .toBeGreaterThan(minDifference);
}
