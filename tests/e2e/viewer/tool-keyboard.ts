import { expect } from "vitest";
import type { Locator } from "playwright-core";
import type { BrowserUser } from "../support/browser-user.ts";
import {
  annotationKindOf,
  type DrawingTool,
} from "../../../apps/web/src/viewer/annotations/annotation-kind-registry.ts";

/** The tools of an image, and those of a plane of a volume. */
export const imageTools = [
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
/** One of each kind: two points, any number of points, an area, a number, a text and a tooth that are asked for. */
export const toolsOfEveryKind = ["length", "path", "ellipse", "calibration", "text", "tooth"] as const;
export const planeTools = imageTools.filter((name) => name !== "calibration" && name !== "tooth");

/**
 * Draws with each of these tools while there is no annotation, moves and deletes the annotation, then undoes and
 * redoes. `viewport` is the one that needs the focus, where a page shows several.
 */
export async function tryEveryToolByKeyboard(
  { page }: BrowserUser,
  tools: readonly DrawingTool[],
  viewport: Locator | null = null,
): Promise<void> {
  const handles = (viewport ?? page).locator("svg [role=slider]");
  const drawn = (viewport ?? page).locator("svg [role=button][aria-pressed]");
  const expectHandles = async (handleCount: number): Promise<void> => {
    await expect.poll(() => handles.count()).toBe(handleCount);
  };
  for (const name of tools) {
    const { keys, input: asks } = annotationKindOf(name);
    await viewport?.focus();
    await page.keyboard.press(keys);
    await expectHandles(0);
    await page.keyboard.press("Enter");
    if (asks) {
      if (asks.for !== "tooth") {
        await page.locator("form input:focus").waitFor();
        await page.keyboard.type("12");
      }
      await page.keyboard.press("Enter");
    }
    await expect.poll(() => handles.count(), { message: `${name} is not drawn` }).toBeGreaterThan(0);
    const handleCount = await handles.count();
    const place = async () => Number(await handles.first().getAttribute("aria-valuenow"));
    const before = await place();
    await handles.first().focus();
    await page.keyboard.press("Shift+ArrowRight");
    await expect.poll(place, { message: `${name} is not moved` }).toBe(before + 10);
    if (name === "path") {
      await page.keyboard.press("Enter");
      await expectHandles(handleCount + 1);
      await handles.nth(1).focus();
      await page.keyboard.press("Delete");
      await expectHandles(handleCount);
    }
    await page.evaluate(() => (document.activeElement as Element & { blur?: () => void }).blur?.());
    await page.keyboard.press("Delete");
    await expectHandles(0);
    await page.keyboard.press("Control+z");
    // A plan shows its handles only while it is selected.
    await expect.poll(() => drawn.count(), { message: `${name} does not come back` }).toBeGreaterThan(0);
    await page.keyboard.press("Control+Shift+z");
    await expectHandles(0);
  }
}
