import { createHash, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { packCard, packInfo, packManifest, type PackCard } from "@arcada/contract/analysis/engine-pack";
import { loadOnnxEngine } from "../apps/server/src/analysis/packs/onnx-engine.ts";
import { readSigningKey } from "../apps/server/src/platform/security/signing-key.ts";
import { streamZip } from "../apps/server/src/platform/storage/zip-writer.ts";
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
const text = Buffer.from(JSON.stringify(manifest, null, 2));
const cardWithTime = await addTime(card);
const files: Record<string, Uint8Array> = {
  "manifest.json": text,
  ...(values.key !== undefined && {
    "manifest.sig": Buffer.from(sign(null, text, readSigningKey(values.key)).toString("base64")),
  }),
  "card.json": Buffer.from(JSON.stringify(cardWithTime, null, 2)),
  "LICENSE.txt": readFileSync(licence),
  "model.onnx": model,
};
const entries = Object.entries(files).map(([name, bytes]) => ({
  path: name,
  at: new Date(0),
  bytes: bytes.length,
  compress: name !== "model.onnx",
  open: () => [bytes],
}));
const out = path.join(folder, `${manifest.id}-${manifest.version}.zip`);
const bytes = await buffer(Readable.from(streamZip(entries)));
writeFileSync(out, bytes);
console.log(`${out}: ${(bytes.length / 1e6).toFixed(2)} MB, the model ${(model.length / 1e6).toFixed(2)} MB`);

/** A model that the product would refuse ends the build here. */
async function addTime(given: PackCard): Promise<PackCard> {
  const info = packInfo(manifest, given, "learned");
  const engine = await loadOnnxEngine({ manifest, info, manifestText: "", licence: "", signedBy: null, model });
  const { milliseconds, megabytes, runs } = await measureEngine(engine);
  console.log(`${milliseconds} ms of one core for a film, ${megabytes} MB of memory for model and film`);
  const date = values.date ?? new Date().toISOString().slice(0, 10);
  const figure = { n: runs, set: "a drawn film of 2,800 × 1,400, from its pixels to the teeth", date };
  return {
    ...given,
    metrics: [...given.metrics, { name: "Time of one core for a film, ms", value: milliseconds, ...figure }],
  };
}
