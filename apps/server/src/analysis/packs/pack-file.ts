import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { Entry, ZipFile } from "yauzl";
import { EngineFault } from "@arcada/analysis/engine";
import type { EngineInfo } from "@arcada/contract/analysis/observation";
import {
  packApiVersion,
  packCard,
  packInfo,
  packManifest,
  packRules,
  type PackCard,
  type PackManifest,
} from "@arcada/contract/analysis/engine-pack";
import { findSigner } from "../../platform/security/find-signer.ts";
import { openZip } from "../../platform/storage/zip-reader.ts";

import type { FileReference, PackTrust } from "../engines/engine-task-types.ts";

/** A pack that is verified except for its model, which has not been loaded yet. */
export interface PackFile {
  manifest: PackManifest;
  info: EngineInfo;
  manifestText: string;
  licence: string;
  signedBy: string | null;
  model: Uint8Array;
}

const limits: Readonly<Record<string, number>> = {
  "manifest.json": packRules.manifestBytes,
  "manifest.sig": 4096,
  "card.json": packRules.manifestBytes,
  "LICENSE.txt": packRules.licenceBytes,
  "model.onnx": packRules.modelBytes,
};

/**
 * Reads a pack from its archive, in memory only.
 * @throws EngineFault packInvalid, packTampered, packUnsigned, tooLarge
 */
export async function openPack(path: FileReference, trust: PackTrust): Promise<PackFile> {
  const files = await readEntries(path);
  const named = (name: string): Buffer => {
    const bytes = files.get(name);
    if (!bytes) throw new EngineFault("packInvalid", `${name} is missing`, "entryMissing");
    return bytes;
  };
  const text = named("manifest.json");
  const signedBy = requirePackSigner(text, files.get("manifest.sig"), trust);
  const { manifest, card } = readManifest(text.toString(), named("card.json").toString());
  const model = named("model.onnx");
  const sum = createHash("sha256").update(model).digest("hex");
  if (sum !== manifest.sha256) throw new EngineFault("packTampered", `model.onnx has the sum ${sum}`, "sumDiffers");
  return {
    manifest,
    info: packInfo(manifest, card, "learned"),
    manifestText: text.toString(),
    licence: named("LICENSE.txt").toString(),
    signedBy,
    model,
  };
}

/**
 * Reads a manifest and its card.
 * @param besides values that the manifest need not contain
 * @throws EngineFault packInvalid
 */
export function readManifest(
  manifestText: string,
  cardText: string,
  besides: Partial<PackManifest> = {},
): { manifest: PackManifest; card: PackCard } {
  const given = { ...besides, ...Object(parseJson("manifest.json", manifestText)) } as object;
  const { api } = given as { api?: unknown };
  if (api !== packApiVersion)
    throw new EngineFault(
      "packInvalid",
      `made for interface ${String(api).slice(0, 20)}, this one is ${packApiVersion}`,
      "interfaceVersion",
    );
  return {
    manifest: validate("manifest.json", packManifest, given),
    card: validate("card.json", packCard, parseJson("card.json", cardText)),
  };
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new EngineFault("packInvalid", `${name} is not JSON`, "notJson");
  }
}

interface Schema<T> {
  safeParse: (
    value: unknown,
  ) => { success: true; data: T } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
}
function validate<T>(name: string, schema: Schema<T>, value: unknown): T {
  const found = schema.safeParse(value);
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  const said = [name, issue?.path.join("."), issue?.message].filter(Boolean).join(": ");
  throw new EngineFault("packInvalid", said.slice(0, 200), name === "card.json" ? "cardInvalid" : "manifestInvalid");
}

/**
 * Without trusted keys a signature proves nothing. With trusted keys, a signature by any other key is always refused.
 */
function requirePackSigner(text: Buffer, signature: Buffer | undefined, { keys, unsigned }: PackTrust): string | null {
  if (!signature || (unsigned && keys.length === 0)) {
    if (unsigned) return null;
    throw new EngineFault("packUnsigned", "nobody has signed it", "unsigned");
  }
  const signedBy = findSigner(text, signature.toString(), keys);
  if (signedBy === null)
    throw new EngineFault("packTampered", "none of the trusted keys has signed it", "signerUnknown");
  return signedBy;
}

/** The limit leaves room for folders, which some programs write as entries of their own. */
const maxEntries = 20;

/** Reads the files of a pack's archive, none larger than a pack may hold. @throws EngineFault packInvalid, tooLarge */
export async function readEntries(path: FileReference): Promise<Map<string, Buffer>> {
  let zip: ZipFile;
  try {
    zip = await openZip(path);
  } catch {
    throw new EngineFault("packInvalid", "not a zip archive", "notAnArchive");
  }
  try {
    const files = new Map<string, Buffer>();
    let entries = 0;
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileNameRaw.toString();
      if (++entries > maxEntries) throw new EngineFault("packInvalid", "too many entries", "entryUnknown");
      if (name.endsWith("/")) continue;
      const limit = limits[name];
      if (limit === undefined || files.has(name))
        throw new EngineFault("packInvalid", `holds ${name.slice(0, 80)}`, "entryUnknown");
      if (entry.uncompressedSize > limit)
        throw new EngineFault("tooLarge", `${name}: ${entry.uncompressedSize} bytes`, "entryTooLarge");
      files.set(name, await readEntryBytes(zip, entry));
    }
    return files;
  } catch (error) {
    if (error instanceof EngineFault) throw error;
    const detail = error instanceof Error ? error.message.slice(0, 200) : "a broken archive";
    throw new EngineFault("packInvalid", detail, "notAnArchive");
  } finally {
    zip.close();
  }
}

// The extracted length is checked against the size that the archive declares, while it is read.
const readEntryBytes = async (zip: ZipFile, entry: Entry): Promise<Buffer> =>
  buffer(await zip.openReadStreamPromise(entry));
