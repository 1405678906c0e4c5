import { existsSync, globSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findGuidePage, hasHelp, screenHelp } from "@arcada/contract/help/screen-help";
import { guidePageNames, guidePages } from "@arcada/contract/help/user-guide";
import { hasAccess, roleNames } from "@arcada/contract/kernel/roles";
import { screens } from "@arcada/contract/screens";
import type { Screen, ScreenName } from "@arcada/contract/screens";
import { guidePictureSize } from "../../apps/web/src/help/guide-content.ts";
import type { GuideBlock, GuideInline } from "../../apps/web/src/help/guide-content.ts";
import { parseGuidePage } from "../../apps/web/user-guide/parse-guide-page.ts";
import sharp from "sharp";

const root = path.join(import.meta.dirname, "../..");
const folder = path.join(root, "docs/user");
const guideLanguages = ["en", "zh"] as const;
const mostPictureBytes = 40_000;
const mostBytesOfAll = 3_000_000;

const readPage = (language: string, name: string) =>
  parseGuidePage(readFileSync(path.join(folder, language, `${name}.md`), "utf8"));

describe.each(guideLanguages)("the user guide in %s", (language) => {
  it("has exactly the pages that the contract lists", () => {
    const files = readdirSync(path.join(folder, language)).map((file) => file.replace(/\.md$/, ""));
    expect(files.toSorted()).toEqual([...guidePageNames].toSorted());
  });

  it("says on every page who can do it, how, what can go wrong and where to read on", () => {
    const headings = { en: ["Steps", "What can go wrong", "Read on"], zh: ["操作步骤", "可能遇到的问题", "延伸阅读"] };
    for (const name of guidePageNames) {
      const { blocks } = readPage(language, name);
      expect(
        blocks.flatMap((block) => (block.kind === "heading" ? [block.text] : [])),
        name,
      ).toEqual(headings[language]);
      expect(blocks[1]?.kind, name).toBe("note");
      expect(listPictures(blocks).length, name).toBeGreaterThan(0);
    }
  });

  it("shows the pictures that exist and no others, small and of one size", async () => {
    const used = new Set(
      guidePageNames.flatMap((name) =>
        listPictures(readPage(language, name).blocks).map((url) => path.join(folder, language, url)),
      ),
    );
    const made = globSync(`${folder}/images/${language}/*`);
    expect([...used].toSorted()).toEqual(made.toSorted());
    for (const file of made) {
      expect(statSync(file).size, file).toBeLessThanOrEqual(mostPictureBytes);
      expect(await sharp(file).metadata(), file).toMatchObject({ format: "webp", ...guidePictureSize });
    }
  });

  it("uses the words of the interface in bold", () => {
    const known = new Set(globSync(`${root}/packages/texts/${language}/*.json`).flatMap(readTexts));
    const unknown = guidePageNames.flatMap((name) =>
      listLabels(readPage(language, name).blocks)
        .filter((label) => !known.has(label))
        .map((label) => `${name}: ${label}`),
    );
    expect(unknown).toEqual([]);
  });
});

it("keeps its pictures below three megabytes in all", () => {
  const files = globSync(`${folder}/images/**/*.webp`);
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(mostBytesOfAll);
});

it("explains every screen behind the sign-in to every role that may open it, with a page for that role", () => {
  for (const [name, screen] of Object.entries(screens) as [ScreenName, Screen][]) {
    if (!screen.bare) expect(screenHelp[name], name).not.toBeNull();
    if (screen.bare || !hasHelp(name)) continue;
    for (const role of roleNames.filter((one) => hasAccess(screen.access, one))) {
      const page = findGuidePage(name, role);
      expect(existsSync(path.join(folder, "en", `${page}.md`)), `${name} for ${role}`).toBe(true);
      // A service request is a clinic's page that everybody signed in may open.
      if (name !== "workOrder") expect(hasAccess(guidePages[page].readers, role), `${name} for ${role}`).toBe(true);
    }
  }
});

it("refuses HTML, unknown pages and unclosed bold in a page", () => {
  for (const text of [
    "<b>bold</b>",
    "[elsewhere](nowhere.md)",
    "[site](https://example.com)",
    "**open",
    "| a |\n|---|\n| b |",
  ])
    expect(() => parseGuidePage(`# Title\n\nFirst.\n\n${text}\n`), text).toThrow("The user guide has no place");
});

const listBlocks = (blocks: readonly GuideBlock[]): GuideBlock[] =>
  blocks.flatMap((block) => [block, ...(block.kind === "list" ? block.items.flatMap(listBlocks) : [])]);
const listPictures = (blocks: readonly GuideBlock[]): string[] =>
  listBlocks(blocks).flatMap((block) => (block.kind === "picture" ? [block.url] : []));
const listLabels = (blocks: readonly GuideBlock[]): string[] =>
  listBlocks(blocks)
    .flatMap((block): GuideInline[] => (block.kind === "paragraph" || block.kind === "note" ? block.content : []))
    .flatMap((part) => (part.kind === "label" ? [part.text] : []));

function readTexts(file: string): string[] {
  const collect = (value: unknown): string[] =>
    typeof value === "string" ? [value] : Object.values(value as object).flatMap(collect);
  return collect(JSON.parse(readFileSync(file, "utf8")));
}
