import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { streamZip } from "../../../../apps/server/src/platform/storage/zip-writer.ts";

/** The content of a test's pack; everything else is as in a valid pack. */
export interface PackFixture {
  model: Uint8Array;
  manifest?: object;
  card?: object;
  /** Files besides, or in place of, those that belong to it. */
  files?: Record<string, Uint8Array | null>;
  signer?: FixtureSigner;
}
export interface FixtureSigner {
  /** `name=base64`, as configuration has it. */
  trusted: string;
  sign: (bytes: Uint8Array) => Uint8Array;
}

export const buildManifest = (more: object = {}): Record<string, unknown> => ({
  id: "test.teeth",
  version: "1.0.0",
  api: 1,
  task: "fdi-centres@1",
  modality: ["PX"],
  input: { name: "in", w: 64, h: 32, channels: ["gray-unit"] },
  outputs: { heatmap: "map" },
  post: { teeth: [11], threshold: 0.5 },
  produces: ["TOOTH_BOX"],
  licence: "CC0-1.0",
  card: "card.json",
  ...more,
});

export const buildCard = { intendedUse: "Tests.", limits: "Knows one bright place." };

/** Writes a pack to this path. */
export async function writePack(
  path: string,
  { model, manifest, card, files = {}, signer }: PackFixture,
): Promise<string> {
  const sha256 = createHash("sha256").update(model).digest("hex");
  const text = Buffer.from(JSON.stringify({ ...buildManifest(), sha256, ...manifest }));
  const all: Record<string, Uint8Array | null> = {
    "manifest.json": text,
    ...(signer && { "manifest.sig": Buffer.from(Buffer.from(signer.sign(text)).toString("base64")) }),
    "card.json": Buffer.from(JSON.stringify(card ?? buildCard)),
    "LICENSE.txt": Buffer.from("As you like."),
    "model.onnx": model,
    ...files,
  };
  const entries = Object.entries(all).flatMap(([name, bytes]) =>
    bytes === null ? [] : [{ path: name, at: new Date(0), bytes: bytes.length, open: () => [bytes] }],
  );
  writeFileSync(path, await buffer(Readable.from(streamZip(entries))));
  return path;
}

export function createSigner(name: string): FixtureSigner {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  return { trusted: `${name}=${raw.toString("base64")}`, sign: (bytes) => sign(null, bytes, privateKey) };
}
