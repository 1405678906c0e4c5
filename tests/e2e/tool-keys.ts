import { expect } from "vitest";
import type { Locator } from "playwright-core";
import { kindOf, type DrawnTool } from "../../apps/web/src/viewer/marks/kind.ts";
import type { Person } from "./person.ts";

/** The tools of a picture, and those of a plane of a volume. */
export const pictureTools = [
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
export const planeTools = pictureTools.filter((name) => name !== "calibration" && name !== "tooth");

/**
 * Draws with each of these tools where there is no mark yet, moves it, takes it away, and goes back and forth. `pane`: what
 * has to have the focus, where a page shows several.
 */
export async function worksEveryToolByKeys(
  { page }: Person,
  tools: readonly DrawnTool[],
  pane: Locator | null = null,
): Promise<void> {
  const grips = (pane ?? page).locator("svg [role=slider]");
  const drawn = (pane ?? page).locator("svg [role=button][aria-pressed]");
  const counts = async (many: number): Promise<void> => {
    await expect.poll(() => grips.count()).toBe(many);
  };
  for (const name of tools) {
    const { keys, asks } = kindOf(name);
    await pane?.focus();
    await page.keyboard.press(keys);
    await counts(0);
    await page.keyboard.press("Enter");
    if (asks) {
      if (asks.for !== "tooth") {
        await page.locator("form input:focus").waitFor();
        await page.keyboard.type("12");
      }
      await page.keyboard.press("Enter");
    }
    await expect.poll(() => grips.count(), { message: `${name} is not drawn` }).toBeGreaterThan(0);
    const many = await grips.count();
    const place = async () => Number(await grips.first().getAttribute("aria-valuenow"));
    const before = await place();
    await grips.first().focus();
    await page.keyboard.press("Shift+ArrowRight");
    await expect.poll(place, { message: `${name} is not moved` }).toBe(before + 10);
    if (name === "path") {
      await page.keyboard.press("Enter");
      await counts(many + 1);
      await grips.nth(1).focus();
      await page.keyboard.press("Delete");
      await counts(many);
    }
    await page.evaluate(() => (document.activeElement as Element & { blur?: () => void }).blur?.());
    await page.keyboard.press("Delete");
    await counts(0);
    await page.keyboard.press("Control+z");
    // A plan shows its handles only while it is selected.
    await expect.poll(() => drawn.count(), { message: `${name} does not come back` }).toBeGreaterThan(0);
    await page.keyboard.press("Control+Shift+z");
    await counts(0);
  }
}
