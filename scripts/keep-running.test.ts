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
    expect(await runUntilEnd([137, 0], () => true)).toEqual({ code: 137, lives: 1, said: [] });
  });
});
