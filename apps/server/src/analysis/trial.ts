import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { figuresOf, givenTeeth, noFigures, summed, unfitFor, type GivenTooth } from "@arcada/analysis/pack/trial";
import type { EngineInfo } from "@arcada/contract/analysis/observation";
import { triedCodes, type ImageLabels, type TrialFigures, type TrialResult } from "@arcada/contract/analysis/trial";
import { readPack } from "./engine-pack.ts";
import { runEngine } from "./engine-run.ts";
import type { PackTrust } from "./engine-task.ts";
import { imagesIn, setSum, type LabelledImage } from "./trial-set.ts";

export type Tried = { result: TrialResult; faultsOfRuns: string[] } | { refused: string };

/**
 * Runs a pack on the labelled images of a folder as in use (a process of its own, the same limits, the same gate behind
 * it) and counts the results.
 * @param told receives the number of images done so far
 */
export async function tryPack(pack: string, folder: string, told: (images: number) => void): Promise<Tried> {
  const read = await readPack(pack, anyone);
  if ("fault" in read) return { refused: `${pack} is no pack that could be installed: ${read.fault}, ${read.detail}` };
  const { info } = read.pack;
  if (!triedCodes.every((code) => info.produces.includes(code)) || !info.modalities.includes("PX"))
    return { refused: `${pack} finds no teeth in panoramas: there is no trial for what it answers.` };
  const out = await mkdtemp(path.join(tmpdir(), "arcada-trial-"));
  try {
    const counted = await countedIn(folder, info, { pack, out, told });
    const { id: engine, version } = info;
    const tried = { engine, version, pack: await sumOfFile(pack), set: setSum(counted.sums), figures: counted.figures };
    return { result: { ...tried, at: new Date().toISOString() }, faultsOfRuns: counted.faults };
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

/** A user who tries a pack at the command line has chosen it, so no signature is required. */
const anyone: PackTrust = { keys: [], unsigned: true };

interface Bench {
  pack: string;
  out: string;
  told: (images: number) => void;
}

async function countedIn(folder: string, { id }: EngineInfo, bench: Bench) {
  const [all, sums, faults]: [TrialFigures[], string[], string[]] = [[], [], []];
  const seen = new Set<string>();
  for (const image of imagesIn(folder)) {
    const why = image.labels === null ? "unfit" : (unfitFor(image.labels, id) ?? (twice(seen, image) ? "twice" : null));
    if (image.labels === null || why !== null) {
      all.push({ ...noFigures, leftOut: { ...noFigures.leftOut, [why ?? "unfit"]: 1 } });
      continue;
    }
    const given = await teethIn(image.path, image.labels, bench);
    if (!Array.isArray(given)) faults.push(`${path.basename(image.path)}: ${given.fault}`);
    all.push(figuresOf(image.labels, Array.isArray(given) ? given : null));
    sums.push(image.sum);
    bench.told(sums.length);
  }
  return { figures: summed(all), sums, faults };
}

function twice(seen: Set<string>, { sha256 }: LabelledImage): boolean {
  if (seen.has(sha256)) return true;
  seen.add(sha256);
  return false;
}

async function teethIn(
  picture: string,
  { spacing }: ImageLabels,
  { pack, out }: Bench,
): Promise<GivenTooth[] | { fault: string }> {
  const outcome = await runEngine(
    {
      engine: { kind: "pack", path: pack, trust: anyone },
      source: { kind: "picture", path: picture, format: "png", shows: "panorama", spacing },
      out,
    },
    { signal: new AbortController().signal },
  );
  return outcome.state === "done" ? givenTeeth(outcome.observations) : { fault: `${outcome.fault}, ${outcome.detail}` };
}

async function sumOfFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
