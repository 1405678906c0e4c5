import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { beforeEach, expect } from "vitest";
import type { BrowserUser } from "./browser-user.ts";
import { present } from "@arcada/testing/require-present";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Captures the page in the user's language and width, in light and, on request, dark mode, and checks its
 * accessibility.
 */
export async function checkPage(person: BrowserUser, name: string, { alsoDark = false } = {}): Promise<void> {
  await checkPageNow(person, name);
  if (!alsoDark) return;
  await setColourScheme(person, "dark");
  await checkPageNow(person, `${name}-dark`, findContrastViolations);
  await setColourScheme(person, "light");
}

async function checkPageNow(person: BrowserUser, name: string, faultsIn = findAxeViolations): Promise<void> {
  await person.takeScreenshot(`${name}-${person.language}-${present(person.page.viewportSize()).width}`);
  // The layout around the page is checked with the shell.
  const faults = await findLastingFaults(async () => [
    ...(await faultsIn(person.page, "main", "[role=dialog]")),
    ...(await person.findSidewaysScroll()),
  ]);
  expect(faults, `${name} in ${person.language}`).toEqual([]);
}

/** All colours hang on one attribute, so that nothing is loaded again. */
export async function setColourScheme(person: BrowserUser, scheme: "dark" | "light"): Promise<void> {
  await person.page.evaluate((now) => void (document.documentElement.dataset["mantineColorScheme"] = now), scheme);
  await person.waitUntilSettled();
}

/** A page that still moves or fades in is looked at again: a fault is what stays. */
export async function findLastingFaults(findFaults: () => Promise<string[]>): Promise<string[]> {
  for (let again = 0; again < 4; again++) {
    const faults = await findFaults();
    if (faults.length === 0) return [];
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return findFaults();
}

/**
 * Returns the serious and critical axe violations in those of these parts that are on the page, or in the whole page.
 */
export const findAxeViolations = (page: Page, ...parts: string[]): Promise<string[]> => runAxe(page, parts, {});

/** The same of what another colour scheme can change: the page's structure stays. */
export const findContrastViolations = (page: Page, ...parts: string[]): Promise<string[]> =>
  runAxe(page, parts, { runOnly: ["color-contrast", "link-in-text-block"] });

async function runAxe(page: Page, parts: string[], how: object): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  return page.evaluate(
    async ({ wanted, rules }) => {
      const { axe: checker } = globalThis as unknown as {
        axe: {
          run: (
            where: object,
            how: object,
          ) => Promise<{ violations: { id: string; impact: string; nodes: { target: unknown[] }[] }[] }>;
        };
      };
      const there = wanted.filter((part) => document.querySelector(part));
      const { violations } = await checker.run(there.length > 0 ? { include: there.map((part) => [part]) } : document, {
        resultTypes: ["violations"],
        ...rules,
      });
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(
          ({ id, nodes }) =>
            `${id} at ${nodes
              .slice(0, 3)
              .map(({ target }) => target.join(" "))
              .join(", ")}`,
        );
    },
    { wanted: parts, rules: how },
  );
}

/** Keeps a screenshot of every open page when a test fails. */
export const captureFailures = (name: string, browser: () => Browser): void =>
  beforeEach(({ onTestFailed }) =>
    onTestFailed(async () => {
      const pages = browser()
        .contexts()
        .flatMap((one) => one.pages());
      for (const [at, page] of pages.entries())
        await page
          .screenshot({ path: `${import.meta.dirname}/../screenshots/failed-${name}-${at}.png` })
          .catch(() => {});
    }),
  );
