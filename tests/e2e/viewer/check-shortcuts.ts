import { expect } from "vitest";
import { findCollisions } from "../../../apps/web/src/viewer/ui/modes/list-shortcuts.ts";
import type { BrowserUser } from "../support/browser-user.ts";

/** The help about the keyboard lists the keys of the viewer's tools, and no key belongs to two of them. */
export async function checkShortcuts(person: BrowserUser, least: number): Promise<void> {
  const { page, t } = person;
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: t("shell.keys.title") });
  const rows = help
    .locator("section", { has: page.getByRole("heading", { name: t("shell.keys.page") }) })
    .locator("dl > div");
  await person.waitFor(rows.first());
  const shortcuts = await rows.evaluateAll((all) =>
    all.map((row) => ({
      label: row.querySelector("dt")?.textContent ?? "",
      keys: [...row.querySelectorAll("kbd")].map((key) => key.textContent).join("+"),
    })),
  );
  expect(findCollisions(shortcuts)).toEqual([]);
  expect(shortcuts.length).toBeGreaterThanOrEqual(least);
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
}
