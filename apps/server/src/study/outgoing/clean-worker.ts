import { createHmac } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { deidentified } from "@arcada/imaging/dicom/deidentify";
import { isEncapsulatedPdf } from "@arcada/imaging/dicom/encapsulated";
import { headerOf } from "@arcada/imaging/dicom/header";
import { readDicom } from "@arcada/imaging/dicom/read";
import { namelessMaterial, namelessMesh } from "@arcada/imaging/nameless/mesh";
import { namelessPicture } from "@arcada/imaging/nameless/picture";
import { RebuildError } from "@arcada/imaging/nameless/rebuild-error";
import { recognise } from "@arcada/imaging/recognise";
import type { Answer, Loaded } from "../../platform/runtime/worker-pool.ts";
import type { CleanTask, Manner } from "./clean-task.ts";
import { zlib } from "./zlib.ts";

/** The thread that de-identifies files. */
parentPort?.postMessage({ loaded: true } satisfies Loaded);
parentPort?.on("message", (task: CleanTask) => parentPort?.postMessage(answer(task)));

function answer({ path, out, manner }: CleanTask): Answer<null> {
  let clean: Uint8Array | null;
  try {
    clean = cleaned(readFileSync(path), manner);
  } catch (error) {
    return { refusal: error instanceof RebuildError ? "fileUnsupported" : "fileBroken" };
  }
  if (!clean) return { refusal: "fileUnsupported" };
  writeFileSync(out, clean);
  return { value: null };
}

/** Recognises the kind by the bytes, never by the name; null if this kind cannot be de-identified. */
function cleaned(bytes: Uint8Array, manner: Manner): Uint8Array | null {
  const kind = recognise(bytes, "", bytes.length);
  // Words that name a person in a document cannot be distinguished from its other words.
  if (kind === "dicom" && isEncapsulatedPdf(headerOf(readDicom(bytes)))) return null;
  if (kind === "dicom") return deidentified(bytes, { ...manner, uid: (uid) => otherUid(manner.key, uid) }).bytes;
  if (kind === "stl" || kind === "ply" || kind === "obj") return namelessMesh(bytes, kind);
  if (kind === "unknown") return namelessMaterial(bytes);
  return kind === "jpeg" || kind === "png" || kind === "bmp" ? namelessPicture(bytes, kind, zlib) : null;
}

/** A UID under 2.25 (PS3.5 B.2): a UUID of version 8 (RFC 9562) whose bits cannot be computed without the key. */
function otherUid(key: string, uid: string): string {
  const bits = createHmac("sha256", Buffer.from(key, "hex")).update(uid).digest().subarray(0, 16);
  bits[6] = (bits[6]! & 0x0f) | 0x80;
  bits[8] = (bits[8]! & 0x3f) | 0x80;
  return `2.25.${BigInt(`0x${bits.toString("hex")}`)}`;
}
