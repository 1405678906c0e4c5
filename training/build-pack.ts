import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { packCard, packInfo, packManifest, type PackCard } from "@arcada/contract/analysis/engine-pack";
import { loadOnnxEngine } from "../apps/server/src/analysis/packs/onnx-engine.ts";
import { signPackFiles, zipPackFiles } from "../apps/server/src/analysis/packs/pack-archive.ts";
import { readSigningKey } from "../apps/server/src/platform/security/signing-key.ts";
import { measureEngine } from "./measure-engine.ts";

// Makes the pack of a folder: model.onnx, manifest.json (without the sum of the model) and card.json become
// ID-VERSION.zip in it. The model is loaded and run as the product does, and the time of a run stands on the card.

const { values, positionals } = parseArgs({
  options: { key: { type: "string" }, licence: { type: "string" }, date: { type: "string" } },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) throw new Error("usage: build-pack.ts FOLDER [--key KEY.pem] [--licence FILE] [--date DAY]");

const readJson = (name: string): object => JSON.parse(readFileSync(path.join(folder, name), "utf8")) as object;
const model = readFileSync(path.join(folder, "model.onnx"));
const sha256 = createHash("sha256").update(model).digest("hex");
const manifest = packManifest.parse({ ...readJson("manifest.json"), sha256 });
const card = packCard.parse(readJson("card.json"));
const licence = values.licence ?? new URL("../LICENSE", import.meta.url);
const cardWithTime = await addTime(card);
const files = {
  "manifest.json": Buffer.from(JSON.stringify(manifest, null, 2)),
  "card.json": Buffer.from(JSON.stringify(cardWithTime, null, 2)),
  "LICENSE.txt": readFileSync(licence),
  "model.onnx": model,
};
const out = path.join(folder, `${manifest.id}-${manifest.version}.zip`);
const bytes = await zipPackFiles(values.key === undefined ? files : signPackFiles(files, readSigningKey(values.key)));
writeFileSync(out, bytes);
console.log(`${out}: ${(bytes.length / 1e6).toFixed(2)} MB, the model ${(model.length / 1e6).toFixed(2)} MB`);

/** A model that the product would refuse ends the build here. */
async function addTime(given: PackCard): Promise<PackCard> {
  const info = packInfo(manifest, given, "learned");
  const pack = { manifest, info, manifestText: "", licence: "", signedBy: null, model };
  const { milliseconds, megabytes, runs } = await measureEngine(() => loadOnnxEngine(pack));
  console.log(`${milliseconds} ms of one core for a film, ${megabytes} MB of memory for runtime, model and film`);
  const date = values.date ?? new Date().toISOString().slice(0, 10);
  const figure = { n: runs, set: "a drawn film of 2,800 × 1,400, from its pixels to the answer", date };
  return {
    ...given,
    metrics: [
      ...given.metrics,
      { name: "Time of one core for a film, ms", value: milliseconds, ...figure },
      { name: "Memory for runtime, model and film, MB", value: megabytes, ...figure },
    ],
  };
}
