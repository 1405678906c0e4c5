import path from "node:path";
import sharp from "sharp";
import { EngineFault, type AnalysisEngine, type Artefact } from "@arcada/analysis/engine";
import { passed } from "@arcada/analysis/gate";
import { measurement } from "@arcada/analysis/measure/measurement";
import type { EngineInfo } from "@arcada/contract/analysis/observation";
import type { ImageKind } from "@arcada/imaging/dicom/kind";
import { newId } from "../kernel/ids.ts";
import { readInput } from "./engine-input.ts";
import type { ArtefactFile, EngineChoice, EngineOutcome, EngineTask } from "./engine-task.ts";

/**
 * Runs an engine here and now: in a thread or process of its own.
 * @throws what is no fault of the engine or the picture
 */
export async function workOn(
  { engine: choice, source, out }: EngineTask,
  onProgress: (share: number) => void,
): Promise<EngineOutcome> {
  const began = performance.now();
  try {
    const engine = await engineOf(choice);
    if (!looksAt(engine.info, source.kind === "volume" ? "ct" : source.shows))
      throw new EngineFault("imageKind", engine.info.modalities.join(", "));
    const input = await readInput(source);
    const answer = await engine.analyse(input, { signal: new AbortController().signal, onProgress });
    const { observations, abstentions, artefacts } = passed(answer, engine.info, input);
    return {
      state: "done",
      observations: observations.map((observation) => ({ id: newId(), ...observation })),
      abstentions,
      artefacts: await Promise.all(artefacts.map((artefact) => written(artefact, out))),
      milliseconds: Math.round(performance.now() - began),
    };
  } catch (error) {
    if (!(error instanceof EngineFault)) throw error;
    return { state: "failed", fault: error.fault, detail: error.message };
  }
}

function engineOf(choice: EngineChoice): Promise<AnalysisEngine> {
  if (choice.kind === "measurement") return Promise.resolve(measurement);
  return Promise.reject(new EngineFault("packInvalid", choice.kind));
}

/** Which of DICOM's modalities a picture of each kind counts as. */
const modalities = {
  panorama: "PX",
  lateralCeph: "DX",
  xRay: "DX",
  dentalFilm: "IO",
  photo: "XC",
  ct: "CT",
} as const satisfies Record<ImageKind, EngineInfo["modalities"][number]>;

/** Whether an engine looks at pictures of this kind at all. */
export const looksAt = ({ modalities: known }: EngineInfo, shows: ImageKind): boolean =>
  known.includes(modalities[shows]);

async function written({ code, columns, rows, samples, spacing }: Artefact, out: string): Promise<ArtefactFile> {
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
