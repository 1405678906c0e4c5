import { describe, expect, it } from "vitest";
import { analyse } from "scslre";
import { hostileTexts, measureCpuMs, measureShortestCpuMs } from "@arcada/testing/hostile/slow-regex-texts";
import { findPatterns, readSourcePatterns } from "@arcada/testing/hostile/source-patterns";
import type { SourcePattern } from "@arcada/testing/hostile/source-patterns";

const size = 20_000;
const limitMs = 50;
const { patterns, dynamicPatterns } = readSourcePatterns();
/** These patterns are built from the product's own lists and read only the product's own texts. */
const trustedFiles = ["apps/web/src/i18n/non-breaking.ts"];
/**
 * The analysis reports these wrongly. It assumes that something after the pattern may fail, but the pattern accepts
 * every text.
 */
const wholeTextPatterns = ["apps/server/src/platform/pdf/text-layout.ts /\\s+|"];
const describePattern = ({ file, line, source, flags }: SourcePattern): string => `${file}:${line} /${source}/${flags}`;

describe("the regular expressions of the sources", () => {
  it("are all known before the program runs", () => {
    expect(dynamicPatterns.filter((place) => !trustedFiles.some((file) => place.startsWith(file)))).toEqual([]);
    expect(patterns.length).toBeGreaterThan(350);
  });

  it("work in linear time by their structure", () => {
    const judged = patterns.filter(
      ({ file, source }) => !wholeTextPatterns.some((known) => `${file} /${source}`.startsWith(known)),
    );
    expect(judged.flatMap(findStructuralProblems)).toEqual([]);
  });

  it(`work less than ${limitMs} ms on each hostile text of ${size} characters`, () => {
    const distinct = new Map(patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
    const slow = [...distinct.values()].flatMap((pattern) => findSlowText(pattern) ?? []);
    expect(slow).toEqual([]);
  }, 120_000);
});

describe("the proof of the patterns", () => {
  const once = (code: string) => findPatterns("made.ts", code).patterns[0];

  it("sees patterns that are literals, calls and constants put together", () => {
    const code = "const word = String.raw`\\w+`; new RegExp(`${word} +$`, 'g'); /a/u.test(''); RegExp('b');";
    expect(
      findPatterns("made.ts", code)
        .patterns.map(({ source, flags }) => source + flags)
        .toSorted(),
    ).toEqual(["\\w+ +$g", "au", "b"]);
    expect(findPatterns("made.ts", "export const p = (x: string) => new RegExp(x);").dynamicPatterns).toEqual([
      "made.ts:1",
    ]);
  });

  // The slow ones of the security test, as they were.
  it.each([
    String.raw`/^[^\s@]+@[^\s@]+\.[^\s@]+$/`,
    String.raw`/\S+@\S+\.\S+/g`,
    String.raw`/[\0 ]+$/`,
    String.raw`/\n\s*(facet\s+normal|endsolid)\b/`,
    String.raw`/[\s^]+$/`,
    String.raw`/^[\s.]+|[\s.]+$/g`,
    String.raw`/=+$/`,
  ])("recognises that %s is slow, by its structure and by the clock", (literal) => {
    const pattern = once(`${literal}.test("");`);
    expect(findStructuralProblems(pattern)).not.toEqual([]);
    expect(findSlowText(pattern)).toContain(" takes ");
  });
});

/**
 * The analysis reports patterns whose match may begin at each of many characters and scan the rest each time, or divide
 * a run in many ways.
 */
function findStructuralProblems(pattern: SourcePattern): string[] {
  const { reports } = analyse({ source: pattern.source, flags: pattern.flags });
  return reports.map(
    ({ type, exponential, character }) =>
      `${describePattern(pattern)}: ${type}${exponential ? ", exponential" : ""} on ${character.literal.source}`,
  );
}

/** The first hostile text that the pattern is slow on. */
function findSlowText(pattern: SourcePattern): string | undefined {
  const once = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
  const every = new RegExp(once, `${once.flags}g`);
  const uses: Record<string, (text: string) => unknown> = {
    find: (text) => once.exec(text),
    replace: (text) => text.replace(every, ""),
    split: (text) => text.split(once),
  };
  const texts = hostileTexts(pattern.source, pattern.flags, size);
  if (texts.length < 20) throw new Error(`${describePattern(pattern)} has only ${texts.length} hostile texts`);
  for (const [use, run] of Object.entries(uses)) {
    const all = measureCpuMs(() => texts.forEach(({ text }) => run(text)), limitMs);
    if (all < limitMs) continue;
    for (const { shape, text } of texts) {
      const ms = measureShortestCpuMs(() => run(text), limitMs);
      if (ms >= limitMs) return `${describePattern(pattern)}: ${use} takes more than ${limitMs} ms on ${shape}`;
    }
  }
  return undefined;
}
