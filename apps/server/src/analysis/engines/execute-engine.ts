import path from "node:path";
import sharp from "sharp";
import { EngineFault, type AnalysisEngine, type DerivedImage } from "@arcada/analysis/engine";
import { validateResult } from "@arcada/analysis/validate-result";
import { modalityByKind } from "@arcada/contract/analysis/analysis.rules";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { readEngineInput } from "./read-engine-input.ts";
import type { ArtefactFile, EngineOutcome, EngineTask } from "./engine-task-types.ts";

/**
 * Runs an engine in the current thread or process, which serves this run only.
 * @throws errors that are not the fault of the engine or the image
 */
export async function executeEngine(
  { engine: load, source, out }: Omit<EngineTask, "engine"> & { engine: () => Promise<AnalysisEngine> },
  onProgress: (share: number) => void,
): Promise<EngineOutcome> {
  const began = performance.now();
  try {
    const engine = await load();
    const modality = modalityByKind[source.kind === "volume" ? "ct" : source.shows];
    if (modality === null || !engine.info.modalities.includes(modality))
      throw new EngineFault("imageKind", engine.info.modalities.join(", "));
    const input = await readEngineInput(source);
    const answer = await engine.analyse(input, { signal: new AbortController().signal, onProgress });
    const { observations, abstentions, artefacts } = validateResult(answer, engine.info, input);
    return {
      state: "done",
      observations: observations.map((observation) => ({ id: newId(), ...observation })),
      abstentions,
      artefacts: await Promise.all(artefacts.map((artefact) => writeArtefact(artefact, out))),
      milliseconds: Math.round(performance.now() - began),
    };
  } catch (error) {
    if (!(error instanceof EngineFault)) throw error;
    return { state: "failed", fault: error.fault, detail: error.message };
  }
}

async function writeArtefact(
  { code, columns, rows, samples, spacing }: DerivedImage,
  out: string,
): Promise<ArtefactFile> {
  const file = path.join(out, `${code.toLowerCase()}.png`);
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  await sharp(new Uint16Array(bytes.buffer, bytes.byteOffset, samples.length), {
    raw: { width: columns, height: rows, channels: 1 },
  })
    .toColourspace("grey16")
    .png({ compressionLevel: 6 })
    .toFile(file);
  return { code, path: file, type: "image/png", columns, rows, spacing };
}
