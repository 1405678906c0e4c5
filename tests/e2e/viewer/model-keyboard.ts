import { expect } from "vitest";
import type { BrowserUser } from "../support/browser-user.ts";
import { tryEveryToolByKeyboard } from "./tool-keyboard.ts";

/** On the scans that are open: every tool without a pointer. */
export async function tryModelToolsByKeyboard(person: BrowserUser): Promise<void> {
  const { page, t } = person;
  const viewport = page.getByRole("group", { name: t("viewer.kind.models"), exact: true });
  // The palate fills the middle of the viewport.
  await page.keyboard.press("4");
  const annotations = viewport.locator("svg [role=button][aria-pressed]");
  // Surfaces are found once their trees have grown and the view has arrived.
  const draw = async (): Promise<number> => {
    await page.keyboard.press("Enter");
    return annotations.count();
  };
  const undo = async (): Promise<number> => {
    await page.keyboard.press("Control+z");
    return annotations.count();
  };
  await page.keyboard.press("l");
  await expect.poll(draw, { interval: 300 }).toBeGreaterThan(0);
  await expect.poll(undo, { interval: 100 }).toBe(0);
  await tryEveryToolByKeyboard(person, ["length", "angle", "surface"], viewport);
  await page.keyboard.press("1");
  await page.keyboard.press("k");
  const measure = async (): Promise<number> => {
    await page.keyboard.press("Shift+ArrowUp");
    return draw();
  };
  await expect.poll(measure, { interval: 300 }).toBeGreaterThan(0);
  await expect.poll(undo, { interval: 100 }).toBe(0);
  await page.keyboard.press("4");
  await page.keyboard.press("c");
  await page.keyboard.press("Enter");
  const mover = page.getByRole("slider", { name: t("viewer.model.section.move") }).first();
  await mover.focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("x");
  await mover.waitFor({ state: "detached" });
  await viewport.focus();
  await page.keyboard.press("n");
  await page.keyboard.press("Enter");
  const words = page.getByRole("textbox", { name: t("viewer.model.pins.words") });
  await words.waitFor();
  await person.button("viewer.model.pins.leave").focus();
  await page.keyboard.press("Enter");
  await words.waitFor({ state: "detached" });
}

/** Sets three pairs of points on both jaws, each centred by the arrow keys; then the jaws could be aligned. */
export async function alignByKeyboard(person: BrowserUser): Promise<void> {
  const { page, t } = person;
  await person.button("viewer.model.align.begin").focus();
  await page.keyboard.press("Enter");
  const status = page.getByRole("status").filter({ hasText: "“" });
  const fit = person.button("viewer.model.align.fit");
  expect(await fit.isDisabled()).toBe(true);
  for (const arrowKey of ["ArrowUp", "ArrowLeft", "ArrowRight"])
    for (const jaw of ["4", "5"]) {
      await page.keyboard.press(jaw);
      const before = await status.first().innerText();
      const placePair = async (): Promise<string> => {
        await page.keyboard.press("Enter");
        await page.keyboard.press(`Shift+${arrowKey}`);
        return status.first().innerText();
      };
      await expect.poll(placePair, { interval: 150 }).not.toBe(before);
    }
  await expect.poll(() => fit.isEnabled()).toBe(true);
  await page.getByRole("button", { name: t("viewer.model.align.cancel"), exact: true }).focus();
  await page.keyboard.press("Enter");
}
