import type { Locator } from "playwright-core";
import type { BrowserUser } from "../support/browser-user.ts";

export const toolbarOf = ({ page, t }: BrowserUser): Locator =>
  page.getByRole("toolbar", { name: t("viewer.tools"), exact: true });

/** A tool of the selected mode, or one that every mode shows. A mode may have the same name, but not as its label. */
export const toolButton = (person: BrowserUser, key: string): Locator =>
  toolbarOf(person)
    .getByRole("button", { name: person.t(key), exact: true })
    .and(person.page.locator("[aria-label]"));

/** Presses a tool; one that the bar does not show is found by the search of all tools. */
export async function chooseTool(person: BrowserUser, key: string): Promise<void> {
  const button = toolButton(person, key);
  if ((await button.count()) > 0) return button.click();
  await searchTool(person, person.t(key));
}

/** Finds a tool by its name in the menu of all tools, and presses it. */
export async function searchTool(person: BrowserUser, name: string): Promise<void> {
  await toolButton(person, "viewer.more.title").click();
  const field = person.page.getByRole("combobox", { name: person.t("viewer.more.search"), exact: true });
  await field.fill(name);
  await field.press("Enter");
}

/** Enters a mode: by its button, or where they have no room by the menu of the modes. */
export async function enterMode(person: BrowserUser, mode: string): Promise<void> {
  const { page, t } = person;
  const name = t(`viewer.mode.${mode}`);
  const modes = page.getByRole("group", { name: t("viewer.modes"), exact: true });
  if (await modes.isVisible()) return modes.getByRole("button", { name, exact: true }).click();
  await toolbarOf(person)
    .getByRole("button", { name: new RegExp(`^${t("viewer.modeNow", { mode: "" })}`) })
    .click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}
