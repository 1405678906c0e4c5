import { expect } from "vitest";
import type { Locator } from "playwright-core";
import { getBox, expectImageChange, waitUntilDrawn } from "../support/screen-pixels.ts";
import type { BrowserUser } from "../support/browser-user.ts";
import { enterMode, toolButton } from "./choose-tool.ts";
import { chooseLayout } from "./volume-steps.ts";

/**
 * On the open CT: the arch is detected, a length on its panorama equals the distance of the shown coordinates, an
 * implant is planned in a cross-section and the arch changed by keyboard alone. Everything is restored after a reload.
 */
export async function planAlongArch(person: BrowserUser): Promise<void> {
  const { page } = person;
  await chooseLayout(person, "panorama");
  const panorama = page.getByRole("group", { name: person.t("viewer.pane.panorama"), exact: true });
  await person.waitFor(panorama.getByText(person.t("viewer.arch.guessed"), { exact: true }));
  await waitUntilDrawn(panorama);
  // The viewport shows a position along the arch and a height. On an upright surface these alone determine a length.
  await expectImageChange(panorama, () => toggleCurvedSurface(person));
  await measureAlongArch(person, panorama);
  await expectImageChange(panorama, () => toggleCurvedSurface(person));
  const implant = person.t("viewer.arch.implant.name", { number: 1, diameter: "4.10", length: "10.0" });
  await page.locator("[aria-current=true]").focus();
  await page.keyboard.press("Shift+I");
  await page.keyboard.press("Enter");
  await person.waitFor(panorama.getByRole("button", { name: implant, exact: true }));
  await page.keyboard.press("Shift+C");
  const point = page.getByRole("slider", {
    name: person.t("viewer.arch.pointOf", { name: person.t("viewer.tool.arch"), number: 6 }),
    exact: true,
  });
  await point.focus();
  await expectImageChange(panorama, () => page.keyboard.press("Shift+ArrowUp"));
  await person.waitFor(person.text("viewer.marks.saved"));
  await person.takeScreenshots("ct-panorama");
  await page.reload();
  await person.waitFor(panorama.getByRole("button", { name: implant, exact: true }));
  // The arch has a new length, and so has the measurement along it.
  await person.waitFor(panorama.locator("svg text").filter({ hasText: archLengthPattern(person) }));
  await panorama.getByText(person.t("viewer.arch.guessed"), { exact: true }).waitFor({ state: "detached" });
  await chooseLayout(person, "mpr");
}

/** Switches between a curved surface that follows roots and chin and an upright one. */
async function toggleCurvedSurface(person: BrowserUser): Promise<void> {
  await enterMode(person, "implant");
  await toolButton(person, "viewer.arch.panel").click();
  const panel = person.page.getByRole("dialog", { name: person.t("viewer.arch.panel") });
  await panel.getByRole("switch", { name: person.t("viewer.arch.bent"), exact: true }).press(" ");
  await person.page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
}

async function measureAlongArch(person: BrowserUser, panorama: Locator): Promise<void> {
  const { page } = person;
  const [from, to] = [await readArchPosition(panorama, 0.46, 0.5), await readArchPosition(panorama, 0.56, 0.6)];
  await page.keyboard.press("l");
  await page.mouse.move(...from.at);
  await page.mouse.down();
  await page.mouse.move(...to.at, { steps: 4 });
  await page.mouse.up();
  const drawn = panorama.locator("svg text").filter({ hasText: archLengthPattern(person) });
  const length = Math.hypot(to.along - from.along, to.height - from.height);
  const off = async () =>
    Number.parseFloat(/[\d.]+/.exec((await drawn.first().textContent()) ?? "")?.[0] ?? "") - length;
  await expect.poll(async () => Math.abs(await off())).toBeLessThan(0.2);
}

const archLengthPattern = (person: BrowserUser): RegExp =>
  new RegExp(person.t("viewer.unit.mmAlong", { value: "VALUE" }).replace("VALUE", String.raw`\d+\.\d\d`));

/** Returns the position on the curved surface that the viewport shows for a point in it. */
async function readArchPosition(
  viewport: Locator,
  across: number,
  down: number,
): Promise<{ at: [number, number]; along: number; height: number }> {
  const { x, y, width, height } = await getBox(viewport);
  const at: [number, number] = [x + width * across, y + height * down];
  const coordinates = viewport.getByText(/-?\d+\.\d\smm.*-?\d+\.\d\smm/);
  await viewport.page().mouse.move(5, 5);
  await coordinates.waitFor({ state: "detached" });
  await viewport.page().mouse.move(...at);
  const [along = NaN, high = NaN] = ((await coordinates.innerText()).match(/-?\d+\.\d/g) ?? []).map(Number);
  return { at, along, height: high };
}
