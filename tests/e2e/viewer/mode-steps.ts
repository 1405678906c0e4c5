import { expect } from "vitest";
import type { BrowserUser } from "../support/browser-user.ts";
import { getBox, waitUntilDrawn } from "../support/screen-pixels.ts";
import { enterMode, searchTool, toolbarOf, toolButton } from "./choose-tool.ts";
import { chooseLayout } from "./volume-steps.ts";

/** On the open image: the bars of its modes, the search, and the height of the image in a page at 200 %. */
export async function checkModesOfImage(person: BrowserUser): Promise<void> {
  const { page, t } = person;
  const canvas = page.locator("canvas").first();
  await waitUntilDrawn(canvas);
  for (const mode of ["measure", "export", "read"]) {
    await enterMode(person, mode);
    const { tools, ...bar } = await measureBar(person);
    expect({ mode, hasFewTools: tools >= 5 && tools <= 8, ...bar }).toEqual({
      mode,
      hasFewTools: true,
      isOneLine: true,
      hasLabels: true,
    });
  }
  await searchTool(person, "cobb");
  await person.waitFor(page.getByRole("status").filter({ hasText: t("viewer.about.cobb") }));
  // The mode follows the tool.
  await person.waitFor(toolButton(person, "viewer.tool.length"));
  // A page at 200 % is as large as a window of half the size.
  await page.setViewportSize({ width: 720, height: 450 });
  await expect.poll(async () => (await getBox(canvas)).height).toBeGreaterThan(0.6 * 450);
}

/** Measures the bar of the selected mode. */
const measureBar = (person: BrowserUser) =>
  toolbarOf(person).evaluate((bar, modes) => {
    const group = [...bar.querySelectorAll("[role=group]")].find((one) => one.getAttribute("aria-label") !== modes);
    const buttons = [...(group?.querySelectorAll("button") ?? [])];
    return {
      tools: buttons.length,
      isOneLine: new Set(buttons.map((button) => button.getBoundingClientRect().top)).size === 1,
      hasLabels: buttons.every((button) => button.innerText.trim() !== ""),
    };
  }, person.t("viewer.modes"));

/** On the open CT: an implant follows the pointer, its second click is asked for, and another layout is remembered. */
export async function checkPromptsOfImplant(person: BrowserUser): Promise<void> {
  const { page, t } = person;
  await enterMode(person, "implant");
  await toolButton(person, "viewer.tool.implant").click();
  const prompt = page.getByRole("status");
  await person.waitFor(prompt.filter({ hasText: t("viewer.arch.hint.shoulder") }));
  const axial = page.getByRole("group", { name: t("viewer.plane.axial"), exact: true });
  const { x, y, width, height } = await getBox(axial);
  await page.mouse.move(x + width / 2, y + height / 2);
  await expect.poll(() => page.locator("[data-ghost]").count()).toBe(1);
  await page.mouse.click(x + width / 2, y + height / 2);
  await person.waitFor(prompt.filter({ hasText: t("viewer.arch.hint.tip") }));
  await page.keyboard.press("Escape");
  await chooseLayout(person, "endo");
  await page.reload();
  await person.waitFor(page.getByRole("group", { name: t("viewer.plane.coronal"), exact: true }));
}
