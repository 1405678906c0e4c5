import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { createHeldBackIntraoral, createTrainingIntraoral } from "@arcada/phantom/training/training-intraoral";
import { createTrainingPanorama } from "@arcada/phantom/training/training-panorama";

// Draws films with their truth into a folder: NNNNN.pgm and a line of teeth.jsonl for each. KIND is `panorama` (usual),
// `intraoral` or `intraoral-held-back`. Run by `training/run`; alone: node scripts/app.mjs exec node training/draw-films.ts FOLDER COUNT [FIRST] [KIND]

const drawings = {
  panorama: createTrainingPanorama,
  intraoral: createTrainingIntraoral,
  "intraoral-held-back": createHeldBackIntraoral,
};
type Kind = keyof typeof drawings;
const isKind = (kind: string): kind is Kind => Object.hasOwn(drawings, kind);

interface Order {
  folder: string;
  kind: Kind;
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
  if (!isKind(kind)) throw new Error(`The kind is one of ${Object.keys(drawings).join(", ")}.`);
  mkdirSync(folder, { recursive: true });
  const truth = createWriteStream(path.join(folder, "teeth.jsonl"), { flags: Number(first) > 0 ? "a" : "w" });
  const step = availableParallelism();
  const begun = performance.now();
  let drawn = 0;
  await Promise.all(
    Array.from({ length: step }, async (_, offset) => {
      const order: Order = { folder, kind, first: Number(first), count: Number(count), step, offset };
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

function drawShare({ folder, kind, first, count, step, offset }: Order): void {
  for (let film = first + offset; film < first + count; film += step) {
    const { columns, rows, pixels, teeth, ...rest } = drawings[kind](`film ${film}`);
    const name = String(film).padStart(6, "0");
    writeFileSync(
      path.join(folder, `${name}.pgm`),
      Buffer.concat([Buffer.from(`P5 ${columns} ${rows} 255\n`), pixels]),
    );
    const places = teeth.map(({ isUnerupted, box, ...tooth }) => ({
      ...tooth,
      unerupted: isUnerupted,
      box: [box.left, box.top, box.right, box.bottom].map((value) => Math.round(value * 10) / 10),
    }));
    parentPort?.postMessage(JSON.stringify({ film: name, ...rest, teeth: places }));
  }
}
