import { expect } from "vitest";
import { kindOf } from "../../apps/web/src/viewer/marks/kind.ts";
import type { Person } from "./person.ts";

/** Draws with each tool of a picture that bears no mark yet, moves it, takes it away, and goes back and forth. */
export async function worksEveryToolByKeys({ page }: Person): Promise<void> {
  const grips = page.locator("svg [role=slider]");
  const counts = async (many: number): Promise<void> => {
    await expect.poll(() => grips.count()).toBe(many);
  };
  for (const name of pictureTools) {
    const { keys, asks } = kindOf(name);
    await page.keyboard.press(keys);
    await page.keyboard.press("Enter");
    if (asks) {
      if (asks.for !== "tooth") await page.keyboard.type("12");
      await page.keyboard.press("Enter");
    }
    await expect.poll(() => grips.count(), { message: `${name} is not drawn` }).toBeGreaterThan(0);
    const many = await grips.count();
    const place = async () => Number(await grips.first().getAttribute("aria-valuenow"));
    const before = await place();
    await grips.first().focus();
    await page.keyboard.press("Shift+ArrowRight");
    await expect.poll(place, { message: `${name} is not moved` }).toBe(before + 10);
    await page.evaluate(() => (document.activeElement as Element & { blur?: () => void }).blur?.());
    await page.keyboard.press("Delete");
    await counts(0);
    await page.keyboard.press("Control+z");
    await counts(many);
    await page.keyboard.press("Control+Shift+z");
    await counts(0);
  }
}

const pictureTools = [
  "length",
  "angle",
  "path",
  "cobb",
  "ratio",
  "profile",
  "ellipse",
  "rectangle",
  "calibration",
  "arrow",
  "text",
  "tooth",
] as const;
