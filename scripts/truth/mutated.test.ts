import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DicomError } from "@arcada/imaging/dicom/error";
import { headerOf } from "@arcada/imaging/dicom/header";
import { readDicom } from "@arcada/imaging/dicom/read";
import { shownFrame } from "@arcada/imaging/dicom/shown";
import { hasTestData, testData, truthFiles } from "./files.ts";

const rounds = process.env["ARCADA_PROOF"] === "full" ? 10_000 : 250;

describe.skipIf(!hasTestData)("real files with some bytes changed or their end cut off (ARCADA_TEST_DATA)", () => {
  it(`are shown or refused by name, each within two seconds: ${rounds} of them`, { timeout: 900_000 }, async () => {
    const files = truthFiles()
      .map((file) => new Uint8Array(readFileSync(join(testData, file))))
      .filter(({ length }) => length < 120_000);
    const below = chance(20_260_312);
    for (let round = 0; round < rounds; round++) {
      const changed = mutated(files[below(files.length)], below);
      const start = process.cpuUsage();
      expect([round, await outcome(changed)]).toEqual([round, "decided"]);
      // Of the processor, not of the clock: other work on the machine is none of the decoder's.
      const { user, system } = process.cpuUsage(start);
      expect((user + system) / 1000).toBeLessThan(2000);
    }
  });
});

function mutated(file: Uint8Array, below: (limit: number) => number): Uint8Array {
  const bytes = file.slice();
  for (let change = 1 + below(12); change > 0; change--) bytes[below(bytes.length)] = below(256);
  return below(10) === 0 ? bytes.subarray(0, below(bytes.length)) : bytes;
}

async function outcome(bytes: Uint8Array): Promise<string> {
  try {
    const file = readDicom(bytes);
    headerOf(file);
    await shownFrame(file, 0);
    return "decided";
  } catch (error) {
    return error instanceof DicomError ? "decided" : `crashed: ${String(error)}`;
  }
}

/** Whole numbers from 0 to below a limit, the same ones each time. */
function chance(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
