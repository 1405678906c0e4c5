import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import {
  createHeldBackIntraoral,
  createTrainingIntraoral,
  type TrainingIntraoral,
} from "@arcada/phantom/training/training-intraoral";
import { createTrainingPanorama, type TrainingPanorama } from "@arcada/phantom/training/training-panorama";
import { createFrontalHead } from "@arcada/phantom/training-cephalogram/frontal-head";
import { createTrainingCephalogram } from "@arcada/phantom/training-cephalogram/training-cephalogram";

// Draws films with their truth into a folder: NNNNN.pgm and a line of the truth's file for each.
// Run by `training/run`; alone: node scripts/app.mjs exec node training/draw-films.ts FOLDER COUNT [FIRST] [KIND]

interface Film {
  columns: number;
  rows: number;
  pixels: Uint8Array;
  truth: object;
}

/** The kinds of films: the name of the file of truth, and the film of a number. */
const kinds: Record<string, { file: string; draw: (film: number) => Film }> = {
  panorama: { file: "teeth.jsonl", draw: (film) => toToothFilm(createTrainingPanorama(`film ${film}`)) },
  intraoral: { file: "teeth.jsonl", draw: (film) => toToothFilm(createTrainingIntraoral(`film ${film}`)) },
  // Other mouths with another development, for measuring alone.
  "intraoral-held-back": { file: "teeth.jsonl", draw: (film) => toToothFilm(createHeldBackIntraoral(`film ${film}`)) },
  ceph: { file: "ceph.jsonl", draw: (film) => drawCephalogram(film, "usual") },
  // Heads from the front, on which the finder of landmarks must abstain.
  "ceph-frontal": { file: "frontal.jsonl", draw: (film) => ({ ...createFrontalHead(`film ${film}`), truth: {} }) },
  // Machines that no training film comes from: for measuring alone.
  "ceph-held-back": { file: "ceph.jsonl", draw: (film) => drawCephalogram(film, "heldBack") },
};

interface Order {
  kind: string;
  folder: string;
  first: number;
  count: number;
  /** Every `step`th film is this worker's. */
  step: number;
  offset: number;
}

if (isMainThread) await drawAll();
else drawShare(workerData as Order);

async function drawAll(): Promise<void> {
  const [folder = "", count = "", first = "0", kind = "panorama"] = process.argv.slice(2);
  if (!folder || !(Number(count) > 0)) throw new Error("Give a folder and the number of films.");
  const chosen = kinds[kind];
  if (!chosen) throw new Error(`The kinds are ${Object.keys(kinds).join(", ")}.`);
  mkdirSync(folder, { recursive: true });
  const truth = createWriteStream(path.join(folder, chosen.file), { flags: Number(first) > 0 ? "a" : "w" });
  const step = availableParallelism();
  const begun = performance.now();
  let drawn = 0;
  await Promise.all(
    Array.from({ length: step }, async (_, offset) => {
      const order: Order = { kind, folder, first: Number(first), count: Number(count), step, offset };
      const worker = new Worker(new URL(import.meta.url), { workerData: order });
      worker.on("message", (line: string) => {
        truth.write(`${line}\n`);
        drawn += 1;
        if (drawn % 100 === 0 || drawn === Number(count))
          console.log(`${drawn} films, ${Math.round((drawn / (performance.now() - begun)) * 60_000)} a minute`);
      });
      await new Promise((resolve, reject) => worker.once("exit", resolve).once("error", reject));
    }),
  );
  await new Promise((resolve) => truth.end(resolve));
}

function drawShare({ kind, folder, first, count, step, offset }: Order): void {
  for (let film = first + offset; film < first + count; film += step) {
    const { columns, rows, pixels, truth } = kinds[kind]!.draw(film);
    const name = String(film).padStart(6, "0");
    writeFileSync(
      path.join(folder, `${name}.pgm`),
      Buffer.concat([Buffer.from(`P5 ${columns} ${rows} 255\n`), pixels]),
    );
    parentPort?.postMessage(JSON.stringify({ film: name, ...truth }));
  }
}

function toToothFilm(drawn: TrainingPanorama | TrainingIntraoral): Film {
  const { columns, rows, pixels, teeth, ...view } = drawn;
  const places = teeth.map(({ isUnerupted, box, ...tooth }) => ({
    ...tooth,
    unerupted: isUnerupted,
    box: [box.left, box.top, box.right, box.bottom].map(roundTenth),
  }));
  return { columns, rows, pixels, truth: { ...view, teeth: places } };
}

function drawCephalogram(film: number, look: "usual" | "heldBack"): Film {
  const { landmarks, faces, mmOfPixel, ...picture } = createTrainingCephalogram(`film ${film}`, look);
  const places = Object.fromEntries(Object.entries(landmarks).map(([name, at]) => [name, at.map(roundTenth)]));
  return { ...picture, truth: { faces, mm: Math.round(mmOfPixel * 1e4) / 1e4, landmarks: places } };
}

function roundTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
