import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { createTrainingPanorama } from "@arcada/phantom/training/training-panorama";
import { packProgram, runInSandbox, wasmPackProgram } from "../apps/server/src/analysis/packs/pack-process.ts";
import { isPackageInstalled } from "../apps/server/src/platform/runtime/sandbox.ts";
import { interleave, median, type Figure } from "./lib/figure-table.ts";

const rounds = Number(process.env.ARCADA_BENCH_ROUNDS ?? 7);
const film = { columns: 2800, rows: 1400 };
const pack = path.join(import.meta.dirname, "../packs/arcada.teeth.zip");

/**
 * Measures the pack of teeth on a film, from its file to its teeth, in the process that the product starts for each
 * analysis: the processor time of this process, which other load affects less than the wall clock, and the most memory
 * that it was seen to hold. The runtime in WebAssembly, which every installation has, alternates with the native one where
 * it is installed. Linux alone tells the processor time of a process that has ended.
 */
export async function measureEngine(say: (line: string) => void): Promise<Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-bench-engine-"));
  try {
    const source = await writeFilm(path.join(folder, "film.png"));
    const hasNative = isPackageInstalled("onnxruntime-node");
    const megabytes: Record<Runtime, number[]> = { wasm: [], native: [] };
    const run = (runtime: Runtime, program: typeof packProgram) => async () => {
      const answer = await analyse(source, folder, program);
      say(`${runtime} ${answer.seconds.toFixed(2)} s, ${answer.megabytes.toFixed(0)} MB, ${answer.teeth} teeth`);
      megabytes[runtime].push(answer.megabytes);
      return answer.seconds;
    };
    // The first process also looks for the confinement that works here.
    await analyse(source, folder, wasmPackProgram);
    const seconds = await interleave<Runtime>(
      { wasm: run("wasm", wasmPackProgram), ...(hasNative && { native: run("native", packProgram) }) } as Runs,
      rounds,
    );
    const beside = (native: () => number) => (hasNative ? { peer: { what: "native runtime", value: native() } } : {});
    const what = "arcada.teeth on a film of 2,800 × 1,400, from its file to its teeth, processor time, WebAssembly";
    return [
      { what, ours: seconds.wasm, unit: "s", ...beside(() => seconds.native) },
      {
        what: "most memory of its process",
        ours: median(megabytes.wasm),
        unit: "MB",
        ...beside(() => median(megabytes.native)),
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Runtime = "wasm" | "native";
type Runs = Record<Runtime, () => Promise<number>>;

interface Source {
  kind: "picture";
  path: string;
  format: "png";
  shows: "panorama";
  spacing: null;
}

/** A drawn film, enlarged to the size that a machine gives. */
async function writeFilm(file: string): Promise<Source> {
  const { columns, rows, pixels } = createTrainingPanorama("a film to look at");
  await sharp(pixels, { raw: { width: columns, height: rows, channels: 1 } })
    .resize(film.columns, film.rows, { fit: "fill" })
    .png()
    .toFile(file);
  return { kind: "picture", path: file, format: "png", shows: "panorama", spacing: null };
}

async function analyse(source: Source, out: string, program: typeof packProgram) {
  let most = 0;
  const task = { engine: { kind: "pack", path: pack, trust: { keys: [], unsigned: true } }, source, out } as const;
  const before = readChildSeconds();
  const answer = await runInSandbox(
    { do: "run", task },
    {
      timeoutMs: 120_000,
      signal: new AbortController().signal,
      onProgress: () => {},
      onMemory: (bytes) => (most = Math.max(most, bytes)),
    },
    program,
  );
  const seconds = readChildSeconds() - before;
  if (!("outcome" in answer) || answer.outcome.state !== "done") throw new Error(JSON.stringify(answer));
  const teeth = answer.outcome.observations.filter(({ code }) => code === "TOOTH_BOX").length;
  if (teeth === 0) throw new Error("the pack found no teeth on the film");
  return { seconds, megabytes: most / 1e6, teeth };
}

/** Returns the processor time of all processes that this one has started and that have ended: proc(5), cutime and cstime. */
function readChildSeconds(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  const ticksPerSecond = 100;
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}
