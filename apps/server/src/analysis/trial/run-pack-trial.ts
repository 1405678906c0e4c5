import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import {
  computeFigures,
  predictedTeeth,
  emptyFigures,
  sumFigures,
  exclusionReason,
  type PredictedTooth,
} from "@arcada/analysis/pack/engine-trial-figures";
import type { EngineInfo } from "@arcada/contract/analysis/observation";
import {
  trialCodes,
  type ImageLabels,
  type TrialFigures,
  type TrialResult,
} from "@arcada/contract/analysis/engine-trial";
import { readPack } from "../packs/read-pack.ts";
import { runEngine } from "../engines/run-engine.ts";
import type { PackTrust } from "../engines/engine-task-types.ts";
import { listLabelledImages, checksumOfSet, type LabelledImage } from "./labelled-images.ts";

export type TrialOutcome = { result: TrialResult; faultsOfRuns: string[] } | { refused: string };

/**
 * Runs a pack on the labelled images of a folder as in use (a separate process, the same limits, the same checks of its
 * output) and counts the results.
 * @param onProgress receives the number of images done so far
 */
export async function runTrial(
  pack: string,
  folder: string,
  onProgress: (images: number) => void,
): Promise<TrialOutcome> {
  const read = await readPack(pack, trustAnyone);
  if ("fault" in read) return { refused: `${pack} is no pack that could be installed: ${read.fault}, ${read.detail}` };
  const { info } = read.pack;
  if (!trialCodes.every((code) => info.produces.includes(code)) || !info.modalities.includes("PX"))
    return { refused: `${pack} finds no teeth in panoramas: there is no trial for what it answers.` };
  const out = await mkdtemp(path.join(tmpdir(), "arcada-trial-"));
  try {
    const counted = await countResults(folder, info, { pack, out, onProgress });
    const { id: engine, version } = info;
    const trial = {
      engine,
      version,
      pack: await hashFile(pack),
      set: checksumOfSet(counted.sums),
      figures: counted.figures,
    };
    return { result: { ...trial, at: new Date().toISOString() }, faultsOfRuns: counted.faults };
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

/** A user who tries a pack at the command line has chosen it, so no signature is required. */
const trustAnyone: PackTrust = { keys: [], unsigned: true };

interface TrialBench {
  pack: string;
  out: string;
  onProgress: (images: number) => void;
}

async function countResults(folder: string, { id }: EngineInfo, bench: TrialBench) {
  const [all, sums, faults]: [TrialFigures[], string[], string[]] = [[], [], []];
  const seen = new Set<string>();
  for (const image of listLabelledImages(folder)) {
    const why =
      image.labels === null
        ? "unfit"
        : (exclusionReason(image.labels, id) ?? (isDuplicate(seen, image) ? "twice" : null));
    if (image.labels === null || why !== null) {
      all.push({ ...emptyFigures, leftOut: { ...emptyFigures.leftOut, [why ?? "unfit"]: 1 } });
      continue;
    }
    const given = await findTeeth(image.path, image.labels, bench);
    if (!Array.isArray(given)) faults.push(`${path.basename(image.path)}: ${given.fault}`);
    all.push(computeFigures(image.labels, Array.isArray(given) ? given : null));
    sums.push(image.sum);
    bench.onProgress(sums.length);
  }
  return { figures: sumFigures(all), sums, faults };
}

function isDuplicate(seen: Set<string>, { sha256 }: LabelledImage): boolean {
  if (seen.has(sha256)) return true;
  seen.add(sha256);
  return false;
}

async function findTeeth(
  image: string,
  { spacing }: ImageLabels,
  { pack, out }: TrialBench,
): Promise<PredictedTooth[] | { fault: string }> {
  const outcome = await runEngine(
    {
      engine: { kind: "pack", path: pack, trust: trustAnyone },
      source: { kind: "picture", path: image, format: "png", shows: "panorama", spacing },
      out,
    },
    { signal: new AbortController().signal },
  );
  return outcome.state === "done"
    ? predictedTeeth(outcome.observations)
    : { fault: `${outcome.fault}, ${outcome.detail}` };
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
