import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { keepRunning } from "./lib/keep-running.mjs";

/** Lets a server end with these codes, one run after another. Returns the output and the final exit code. */
async function runUntilEnd(codes: number[], isEnding = () => false) {
  const output: string[] = [];
  const left = [...codes];
  const rules = { firstPauseMs: 1, longestPauseMs: 4, quickDeathMs: 1000, maxQuickDeaths: 5 };
  const code = await keepRunning(async () => left.shift() ?? 0, {
    rules,
    isEnding,
    report: (line) => output.push(line),
  });
  return { code, lives: codes.length - left.length, said: output };
}
const readPauses = (output: string[]) => output.flatMap((line) => /in ([\d.]+) s/.exec(line)?.[1] ?? []);

describe("a server that dies", () => {
  it("is started again after pauses that double", async () => {
    const { code, lives, said: output } = await runUntilEnd([137, 1, 70, 139, 0]);
    expect([code, lives]).toEqual([0, 5]);
    expect(readPauses(output)).toEqual(["0.001", "0.002", "0.004", "0.004"]);
  });
  it("is given up in words when it dies too often shortly after its start", async () => {
    const { code, lives, said: output } = await runUntilEnd([1, 1, 1, 1, 1, 0]);
    expect([code, lives]).toEqual([1, 5]);
    expect(output.at(-1)).toMatch(/died 5 times in a row/);
  });
  it.each([
    ["in order", 0],
    ["because of its configuration", 78],
  ])("%s is not started again", async (_, code) => {
    expect(await runUntilEnd([code, 0])).toEqual({ code, lives: 1, said: [] });
  });
  it("while it is being stopped is not started again", async () => {
    let questions = 0;
    expect(await runUntilEnd([137, 0], () => ++questions > 1)).toEqual({ code: 137, lives: 1, said: [] });
  });
  it("is not started at all after a request to stop while it was bundled", async () => {
    expect(await runUntilEnd([0], () => true)).toEqual({ code: 0, lives: 0, said: [] });
  });
  it("is started from the bundle of that moment, and from its sources after its first quick death", async () => {
    const bundles = ["first", "second", "third"];
    const lives = [
      { ms: 60, code: 1 },
      { ms: 0, code: 1 },
      { ms: 60, code: 1 },
      { ms: 0, code: 0 },
    ];
    const programs: unknown[] = [];
    const run = async (program: unknown) => {
      const life = lives[programs.push(program) - 1];
      await sleep(life?.ms);
      return life?.code ?? 0;
    };
    const rules = { firstPauseMs: 1, longestPauseMs: 1, quickDeathMs: 50, maxQuickDeaths: 9 };
    await keepRunning(run, { choose: async () => bundles.shift(), fallback: "sources", rules, report: () => {} });
    expect(programs).toEqual(["first", "second", "sources", "sources"]);
  });
});
