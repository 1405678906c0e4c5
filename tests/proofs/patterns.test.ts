import { describe, expect, it } from "vitest";
import { analyse } from "scslre";
import { hostileTexts, workedMs } from "../hostile.ts";
import { patternsIn, patternsOfSources } from "../patterns.ts";
import type { Pattern } from "../patterns.ts";

const size = 20_000;
const mostMs = 50;
const { patterns, unseen } = patternsOfSources();
const name = ({ file, line, source, flags }: Pattern): string => `${file}:${line} /${source}/${flags}`;

describe("the regular expressions of the sources", () => {
  it("are all known before the program runs", () => {
    expect(unseen).toEqual([]);
    expect(patterns.length).toBeGreaterThan(350);
  });

  it("work in linear time by their structure", () => {
    expect(patterns.flatMap(structuralProblems)).toEqual([]);
  });

  it(`work less than ${mostMs} ms on each hostile text of ${size} characters`, () => {
    const slow = patterns.flatMap((pattern) => slowText(pattern) ?? []);
    expect(slow).toEqual([]);
  }, 120_000);
});

/** Where a match may begin at each of many characters and each time look at the rest, or divide a run in many ways. */
function structuralProblems(pattern: Pattern): string[] {
  const { reports } = analyse({ source: pattern.source, flags: pattern.flags });
  return reports.map(({ type, exponential, character }) => `${name(pattern)}: ${type}${exponential ? ", exponential" : ""} on ${character.literal.source}`);
}

/** The first hostile text that the pattern is slow on. */
function slowText(pattern: Pattern): string | undefined {
  const once = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
  const every = new RegExp(once, `${once.flags}g`);
  const uses: Record<string, (text: string) => unknown> = {
    find: (text) => once.exec(text),
    replace: (text) => text.replace(every, ""),
    split: (text) => text.split(once),
  };
  const texts = hostileTexts(pattern.source, pattern.flags, size);
  if (texts.length < 20) throw new Error(`${name(pattern)} has only ${texts.length} hostile texts`);
  for (const [use, run] of Object.entries(uses)) {
    const all = workedMs(() => texts.forEach(({ text }) => run(text)), 5 * mostMs);
    if (all < mostMs) continue;
    for (const { shape, text } of texts) {
      const ms = shortestOfThree(() => run(text));
      if (ms >= mostMs) return `${name(pattern)}: ${use} takes ${ms.toFixed(0)} ms on ${shape}`;
    }
  }
  return undefined;
}

/** The shortest of three runs: collecting what others dropped is not the pattern's work. */
function shortestOfThree(work: () => unknown): number {
  let ms = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 3 && ms >= mostMs; turn++) ms = Math.min(ms, workedMs(work, 5 * mostMs));
  return ms;
}
