import { readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { screens } from "@arcada/contract/screens";
import { present } from "@arcada/testing/require-present";
import type { ScreenName } from "@arcada/contract/screens";

const dist = path.join(import.meta.dirname, "../../apps/web/dist");
const read = (name: string): string => readFileSync(path.join(dist, name), "utf8");
const preloadsByPath = JSON.parse(read("ahead.json")) as Record<string, { ahead: string[]; first?: string[] }>;
const firstFiles = [...read("index.html").matchAll(/assets\/[\w-]+\.js/g)].map(([name]) => name);

/** Returns the scripts that a page needs before it can be shown, beyond those that every page begins with. */
const listFurtherScripts = (screen: ScreenName): string[] =>
  (preloadsByPath[screens[screen].path]?.ahead ?? []).filter((name) => !firstFiles.includes(name));

const assets = readdirSync(path.join(dist, "assets"))
  .filter((name) => name.endsWith(".js"))
  .map((name) => `assets/${name}`);

/** Returns the scripts of these names, of which there must be one each. */
function listScripts(...names: string[]): string[] {
  const found = names.flatMap((name) =>
    assets.filter((file) => new RegExp(`^assets/${name}-[\\w-]{8}\\.js$`).test(file)),
  );
  expect(found).toHaveLength(names.length);
  return found;
}

/** Returns the Chinese texts of these files: each language is a script of its own. */
function listTexts(...files: string[]): string[] {
  const isText = (name: string) => files.some((file) => new RegExp(`^assets/${file}-[\\w-]{8}\\.js$`).test(name));
  // The texts of other languages have a few Chinese words, such as the names of languages.
  const isChinese = (text: string) => (text.match(/[\u4e00-\u9fff]/g)?.length ?? 0) > text.length / 20;
  const chinese = assets.filter((name) => isText(name) && isChinese(read(name)));
  expect(chinese).toHaveLength(files.length);
  return chinese;
}

/** Gzipped kilobytes of 1000 bytes, as the server sends them. */
const sumSizes = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + statSync(path.join(dist, `${name}.gz`)).size, 0) / 1000;

describe("the scripts of a page", () => {
  it("of the sign-in page are at most 150 kB with its texts", () => {
    const own = assets.filter((name) => /^assets\/(account\.app|sign-in)-[\w-]{8}\.js$/.test(name));
    expect(own).toHaveLength(2);
    expect(sumSizes([...firstFiles, ...own, ...listTexts("common", "account")])).toBeLessThanOrEqual(150);
  });

  it("of the patient list are at most 120 kB beyond those of the sign-in page with its texts", () => {
    const texts = listTexts("shell", "notice", "capacity", "patient", "institution");
    expect(sumSizes([...listFurtherScripts("patientList"), ...texts])).toBeLessThanOrEqual(120);
  });

  // Everything that Chromium fetches until the panorama, the cross-sections and the slices are shown, from nothing: the
  // sign-in page's scripts, the first paint, the viewer, its workers and its texts. Not the codec's WebAssembly, and not
  // what the idle page fetches for pages that open without a network.
  it("of a CBCT are at most 400 kB with its workers and texts, without those of any panel", () => {
    const { ahead, first = [] } = present(preloadsByPath[screens.ctViewer.path]);
    const workers = listScripts("ct-arch-first-paint.worker", "file-fetcher.worker", "decode-slices.worker");
    const texts = listTexts("common", "shell", "notice", "capacity", "share", "implant", "viewer");
    const loaders = assets.filter((name) => name.startsWith("assets/texts-behind-sign-in-"));
    expect(loaders.length).toBeGreaterThan(0);
    const all = new Set([...firstFiles, ...first, ...ahead, ...workers, ...texts, ...loaders]);
    expect(sumSizes([...all])).toBeLessThanOrEqual(400);
  });

  it("of a viewer hold nothing that places a menu or a tooltip", () => {
    const places = (name: string) => read(name).includes("floating-ui");
    expect(assets.some(places)).toBe(true);
    for (const screen of ["ctViewer", "viewer"] as const)
      expect(preloadsByPath[screens[screen].path]?.ahead.filter(places), screen).toEqual([]);
  });

  it.each([
    ["patientList", 104],
    ["today", 100],
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
