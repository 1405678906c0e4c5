import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { screens } from "@arcada/contract/screens";
import type { ScreenName } from "@arcada/contract/screens";

const dist = path.join(import.meta.dirname, "../../apps/web/dist");
const read = (name: string): string => readFileSync(path.join(dist, name), "utf8");
const preloadsByPath = JSON.parse(read("ahead.json")) as Record<string, { ahead: string[] }>;
const firstFiles = [...read("index.html").matchAll(/assets\/[\w-]+\.js/g)].map(([name]) => name);

/** Returns the scripts that a page needs before it can be shown, beyond those that every page begins with. */
const listFurtherScripts = (screen: ScreenName): string[] =>
  (preloadsByPath[screens[screen].path]?.ahead ?? []).filter((name) => !firstFiles.includes(name));

/** Gzipped kilobytes of 1000 bytes, as the server sends them. */
const sumSizes = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + statSync(path.join(dist, `${name}.gz`)).size, 0) / 1000;

describe("the scripts of a page", () => {
  it.each([
    ["patientList", 119],
    ["today", 116],
  ] as const)("of %s are at most %i kB beyond those of the sign-in page", (screen, most) => {
    const scripts = listFurtherScripts(screen);
    expect(scripts.length).toBeGreaterThan(0);
    expect(sumSizes(scripts)).toBeLessThanOrEqual(most);
  });

  it("hold the code of charts on the dashboard alone", () => {
    const others = new Set([...listFurtherScripts("today"), ...listFurtherScripts("orderList")]);
    const own = listFurtherScripts("dashboard").filter((name) => !others.has(name));
    const hasCharts = (name: string) => read(name).includes("visx-");
    expect(own.some(hasCharts)).toBe(true);
    for (const [at, { ahead }] of Object.entries(preloadsByPath))
      if (at !== screens.dashboard.path) expect(ahead.filter(hasCharts), at).toEqual([]);
  });
});
