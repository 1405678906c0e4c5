import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

type Node = string | { [key: string]: Node };
interface Row {
  english: string;
  chinese: string;
  never: string[];
  /** `file.key`, or `file.*` for a whole group. */
  allowed: string[];
}

const root = path.join(import.meta.dirname, "../..");
const rows = readRows(readFileSync(path.join(root, "docs/developer/interface-terms.md"), "utf8"));
const texts = { en: readTexts("en"), zh: readTexts("zh") };

it("the table of interface terms has a term in English and in Chinese in every row", () => {
  expect(rows.length).toBeGreaterThanOrEqual(60);
  expect(
    rows.filter(({ english, chinese }) => english === "" || !/\p{Script=Han}|^CBCT$|^Webhook$/u.test(chinese)),
  ).toEqual([]);
});

it("the table of interface terms names each English term once", () =>
  expect(rows.map(({ english }) => english).filter((term, at, all) => all.indexOf(term) !== at)).toEqual([]));

it("the table of interface terms makes exceptions only for texts that exist", () => {
  const keys = [...texts.en.keys()];
  const isKnown = (pattern: string) => keys.some((key) => matches(pattern, key));
  expect(rows.flatMap(({ allowed }) => allowed).filter((pattern) => !isKnown(pattern))).toEqual([]);
});

it("the English and Chinese texts use no word that the table of interface terms forbids", () =>
  expect(rows.flatMap(findForbidden)).toEqual([]));

function findForbidden(row: Row): string[] {
  return row.never.flatMap((word) => {
    const says = createFinder(word, row.english);
    // A term of both languages, such as CBCT, has the same wrong forms in both.
    const searched = isChinese(word) ? [texts.zh] : row.english === row.chinese ? [texts.en, texts.zh] : [texts.en];
    return searched
      .flatMap((entries) => [...entries])
      .filter(([key, text]) => says(text) && !row.allowed.some((pattern) => matches(pattern, key)))
      .map(([key, text]) => `${key} says "${word}", the term is "${row.english}": ${text}`);
  });
}

function readRows(markdown: string): Row[] {
  return markdown
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^\|(?:-|\s*Concept\s*\|)/u.test(line))
    .map((line) => {
      const [, english = "", chinese = "", never = "", allowed = ""] = line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim());
      return { english, chinese, never: parseList(never), allowed: parseList(allowed.replaceAll("`", "")) };
    });
}

function readTexts(language: "en" | "zh"): Map<string, string> {
  const folder = path.join(root, "packages/texts", language);
  return new Map(
    readdirSync(folder).flatMap((file) =>
      leavesOf(JSON.parse(readFileSync(path.join(folder, file), "utf8")) as Node, path.parse(file).name),
    ),
  );
}

function leavesOf(node: Node, at: string): [string, string][] {
  if (typeof node === "string") return [[at, node.replaceAll(/\{\{\s*\w+\s*\}\}/gu, "{}")]];
  return Object.entries(node).flatMap(([key, child]) => leavesOf(child, `${at}.${key}`));
}

/** Finds the word in a text. The term itself may contain it, as "recycle bin" contains "bin". */
function createFinder(word: string, term: string): (text: string) => boolean {
  // Chinese has no spaces between words, so a Chinese entry is looked for anywhere in the text.
  if (isChinese(word)) return (text) => text.includes(word);
  const whole = wholeWord(word);
  const itself = wholeWord(term);
  return (text) => whole.test(text) && whole.test(text.replaceAll(new RegExp(itself, "giu"), ""));
}

function wholeWord(word: string): RegExp {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}-])${escaped}(?![\p{L}\p{N}])`, "iu");
}

function isChinese(word: string): boolean {
  return /\p{Script=Han}/u.test(word);
}

function matches(pattern: string, key: string): boolean {
  return pattern.endsWith(".*") ? key.startsWith(pattern.slice(0, -1)) : key === pattern;
}

function parseList(cell: string): string[] {
  return cell
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}
