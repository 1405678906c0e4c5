import { expect } from "vitest";
import type { Locator } from "playwright-core";
import type { BrowserUser } from "../support/browser-user.ts";
import { chooseTool } from "./choose-tool.ts";
import { planeTools, tryEveryToolByKeyboard } from "./tool-keyboard.ts";

/** On the volume that is open, its three planes shown: every tool of them without a pointer. */
export async function tryPlaneToolsByKeyboard(person: BrowserUser): Promise<void> {
  const { page, t } = person;
  const axial = viewportOf(person, "viewer.plane.axial");
  await tryEveryToolByKeyboard(person, planeTools, axial);
  await page.keyboard.press("c");
  const turn = page.getByRole("slider", { name: t("viewer.turn.handle", { plane: t("viewer.plane.axial") }) });
  await turn.focus();
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(() => turn.getAttribute("aria-valuenow")).toBe("10");
  const slab = page.getByRole("slider", { name: t("viewer.slab.handle", { plane: t("viewer.plane.axial") }) });
  await slab.focus();
  await page.keyboard.press("Shift+ArrowUp");
  await expect.poll(() => slab.getAttribute("aria-valuenow")).toBe("5");
  await page.keyboard.press("Control+z");
  await expect.poll(() => slab.getAttribute("aria-valuenow")).toBe("0");
  await page.keyboard.press("Shift+R");
  await expect.poll(() => turn.getAttribute("aria-valuenow")).toBe("0");
  await axial.focus();
  const slice = page.getByRole("slider", { name: t("viewer.sliceOf", { plane: t("viewer.plane.axial") }) });
  const before = Number(await slice.getAttribute("value"));
  await page.keyboard.press("ArrowUp");
  await expect.poll(async () => Number(await slice.inputValue())).not.toBe(before);
}

/**
 * Plans along the arch by keyboard: canal and implant in the cross-section, the arch's own points, the cropping of the
 * volume, the airway.
 */
export async function planByKeyboard(person: BrowserUser): Promise<void> {
  const { page, t } = person;
  const section = page.locator("[aria-current=true][role=group]");
  await person.waitFor(section);
  await tryEveryToolByKeyboard(person, ["canal", "implant"], section);
  await page.keyboard.press("Shift+C");
  const points = page.getByRole("slider", { name: new RegExp(`^${t("viewer.tool.arch")}`) });
  await expect.poll(() => points.count()).toBeGreaterThan(3);
  const many = await points.count();
  await points.nth(2).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => points.count()).toBe(many + 1);
  await points.nth(2).focus();
  await page.keyboard.press("Delete");
  await expect.poll(() => points.count()).toBe(many);
  for (let step = 0; step < 2; step++) await page.keyboard.press("Control+z");
  await person.waitFor(person.text("viewer.arch.guessed"));
}

const viewportOf = ({ page, t }: BrowserUser, key: string): Locator =>
  page.getByRole("group", { name: t(key), exact: true });

/** Measures the airway and reduces the visible box, by keyboard in their panels. */
export async function openPanelsByKeyboard(person: BrowserUser): Promise<void> {
  const { page, t } = person;
  await chooseTool(person, "viewer.render.airway.title");
  await person.button("viewer.render.airway.start").focus();
  await page.keyboard.press("Enter");
  await person.waitFor(
    page
      .getByText(t("viewer.render.airway.noAir"))
      .or(page.getByText(t("viewer.render.airway.profile")))
      .or(person.button("viewer.render.airway.goTo")),
  );
  await page.keyboard.press("Escape");
  await person.button("viewer.render.clip.title").focus();
  await page.keyboard.press("Enter");
  const side = page.getByRole("slider", { name: t("viewer.render.clip.from", { side: "R" }), exact: true });
  await side.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => side.getAttribute("aria-valuenow")).toBe("1");
  await page.keyboard.press("Escape");
}
