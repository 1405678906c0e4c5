import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "vitest";
import type { Person } from "./person.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A picture of the page in the reader's language and width, by day and, where asked, by night; readable by everybody. */
export async function looks(person: Person, name: string, { alsoDark = false } = {}): Promise<void> {
  await looksNow(person, name);
  if (!alsoDark) return;
  await lightens(person, "dark");
  await looksNow(person, `${name}-dark`);
  await lightens(person, "light");
}

async function looksNow(person: Person, name: string): Promise<void> {
  await person.shot(`${name}-${person.language}-${person.page.viewportSize()!.width}`);
  const faults = [...(await axeFaults(person)), ...(await person.scrollsSideways())];
  expect(faults, `${name} in ${person.language}`).toEqual([]);
}

const lightens = (person: Person, scheme: "dark" | "light"): Promise<void> =>
  person.page.evaluate((to) => {
    document.documentElement.dataset["mantineColorScheme"] = to;
  }, scheme);

async function axeFaults(person: Person): Promise<string[]> {
  await person.page.evaluate(axe);
  return person.page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: { run: (where: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    // What stands around the page is looked at with the shell.
    const places = ["main", "[role=dialog]"].filter((place) => document.querySelector(place));
    const { violations } = await checker.run({ include: places.map((place) => [place]) });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
}
