import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { writeFileSync } from "node:fs";
import { signPackFiles, zipPackFiles } from "../../../../apps/server/src/analysis/packs/pack-archive.ts";
import { publicKeyOf } from "../../../../apps/server/src/platform/security/signing-key.ts";

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
  key: KeyObject;
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
  const own = {
    "manifest.json": Buffer.from(JSON.stringify({ ...buildManifest(), sha256, ...manifest })),
    "card.json": Buffer.from(JSON.stringify(card ?? buildCard)),
    "LICENSE.txt": Buffer.from("As you like."),
    "model.onnx": model,
  };
  const all = { ...(signer ? signPackFiles(own, signer.key) : own), ...files };
  const kept = Object.entries(all).filter((entry): entry is [string, Uint8Array] => entry[1] !== null);
  writeFileSync(path, await zipPackFiles(Object.fromEntries(kept)));
  return path;
}

export function createSigner(name: string): FixtureSigner {
  const { privateKey: key } = generateKeyPairSync("ed25519");
  return { trusted: `${name}=${publicKeyOf(key)}`, key };
}
