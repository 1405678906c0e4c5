import { createHmac } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { deidentifyDicom } from "@arcada/imaging/dicom/deidentify/deidentify-dicom";
import { isDocumentObject } from "@arcada/imaging/dicom/parse/document-object";
import { readDicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { deidentifyMaterial, deidentifyMesh } from "@arcada/imaging/deidentify/deidentify-mesh";
import { deidentifyImage } from "@arcada/imaging/deidentify/deidentify-image";
import { RebuildError } from "@arcada/imaging/deidentify/rebuild-error";
import { detectFileKind } from "@arcada/imaging/file-kind";
import type { TaskResult, WorkerLoaded } from "../../platform/runtime/worker-pool.ts";
import type { DeidentifyTask, SerializedDeidentifyOptions } from "./deidentify-worker-message.ts";
import { pngZlib } from "./png-zlib.ts";

/** The thread that de-identifies files. */
parentPort?.postMessage({ loaded: true } satisfies WorkerLoaded);
parentPort?.on("message", (task: DeidentifyTask) => parentPort?.postMessage(runTask(task)));

function runTask({ path, out, manner: deidentifyOptions }: DeidentifyTask): TaskResult<null> {
  let copy: Uint8Array | null;
  try {
    copy = deidentifyBytes(readFileSync(path), deidentifyOptions);
  } catch (error) {
    return { refusal: error instanceof RebuildError ? "fileUnsupported" : "fileBroken" };
  }
  if (!copy) return { refusal: "fileUnsupported" };
  writeFileSync(out, copy);
  return { value: null };
}

/** Recognises the kind by the bytes, never by the name; null if this kind cannot be de-identified. */
function deidentifyBytes(bytes: Uint8Array, deidentifyOptions: SerializedDeidentifyOptions): Uint8Array | null {
  const kind = detectFileKind(bytes, "", bytes.length);
  // Words that name a person in a document cannot be distinguished from its other words.
  if (kind === "dicom" && isDocumentObject(readDicomHeader(readDicom(bytes)))) return null;
  if (kind === "dicom")
    return deidentifyDicom(bytes, { ...deidentifyOptions, uid: (uid) => deriveUid(deidentifyOptions.key, uid) }).bytes;
  if (kind === "stl" || kind === "ply" || kind === "obj" || kind === "3mf") return deidentifyMesh(bytes, kind);
  if (kind === "unknown") return deidentifyMaterial(bytes);
  return kind === "jpeg" || kind === "png" || kind === "bmp" ? deidentifyImage(bytes, kind, pngZlib) : null;
}

/** A UID under 2.25 (PS3.5 B.2): a UUID of version 8 (RFC 9562) whose bits cannot be computed without the key. */
function deriveUid(key: string, uid: string): string {
  const bits = createHmac("sha256", Buffer.from(key, "hex")).update(uid).digest().subarray(0, 16);
  bits[6] = (bits[6]! & 0x0f) | 0x80;
  bits[8] = (bits[8]! & 0x3f) | 0x80;
  return `2.25.${BigInt(`0x${bits.toString("hex")}`)}`;
}
