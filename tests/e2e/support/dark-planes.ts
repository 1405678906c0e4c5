import sharp from "sharp";
import type { Locator, Page } from "playwright-core";
import { getBox } from "./screen-pixels.ts";

/** Planes of a volume that a person sees dark although they were drawn: what a browser leaves out no canvas knows. */
export async function findDarkPlanes(page: Page): Promise<string[]> {
  if (await page.locator("[role=dialog], [role=menu], [role=listbox]").first().isVisible()) return [];
  const dark: string[] = [];
  for (const plane of await page
    .getByRole("group")
    .filter({ has: page.getByRole("slider") })
    .all()) {
    const [drawn, displayed] = [await readCanvasBrightness(plane), await readScreenBrightness(plane)];
    if (drawn > 0.2 && displayed < drawn / 4) dark.push(`${await plane.getAttribute("aria-label")} is dark`);
  }
  return dark;
}

/** Returns the share of canvas pixels in the middle that are brighter than the surroundings of a head. */
const readCanvasBrightness = (plane: Locator): Promise<number> =>
  plane.evaluate((element) => {
    const canvas = document.querySelector("canvas");
    const brush = Object.assign(document.createElement("canvas"), { width: 32, height: 32 }).getContext("2d");
    if (!canvas || !brush) return 0;
    const [all, part] = [canvas.getBoundingClientRect(), element.getBoundingClientRect()];
    const dots = canvas.width / all.width;
    const [left, top] = [part.left - all.left + part.width * 0.3, part.top - all.top + part.height * 0.3];
    const [width, height] = [part.width * 0.4, part.height * 0.4];
    brush.drawImage(canvas, left * dots, top * dots, width * dots, height * dots, 0, 0, 32, 32);
    const { data } = brush.getImageData(0, 0, 32, 32);
    return data.filter((value, at) => at % 4 === 1 && value > 30).length / (32 * 32);
  });

/**
 * Returns the same as the user sees it. It is cut out of a screenshot of the whole page, because the browser omits
 * nothing when it captures an element alone.
 */
async function readScreenBrightness(plane: Locator): Promise<number> {
  const { x, y, width, height } = await getBox(plane);
  const values = await sharp(await plane.page().screenshot())
    .extract({
      left: Math.round(x + width * 0.3),
      top: Math.round(y + height * 0.3),
      width: Math.floor(width * 0.4),
      height: Math.floor(height * 0.4),
    })
    .greyscale()
    .raw()
    .toBuffer();
  return values.filter((value) => value > 30).length / values.length;
}
