import { createReadStream } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import type { Input } from "@arcada/contract/kernel/call";
import { successCode } from "@arcada/contract/kernel/refusals";
import { inboxCalls } from "@arcada/contract/study/inbox.calls";
import { removeFile } from "../platform/storage/durable-writes.ts";
import {
  responseEnvelope,
  parseJson,
  toCloudRefused,
  transferSilenceMs,
  type CloudResponse,
  type SendRequest,
} from "./cloud-connection.ts";
import { uploadAddressFile, type QueuedObject } from "./send-queue.ts";

/** A file on this machine that is uploaded so that bytes which arrived are not sent again. */
export interface ResumableFile {
  path: string;
  bytes: number;
  /** The name under which Arcada keeps it. */
  name: string;
  /** The file beside it that contains Arcada's address of the upload in progress. */
  addressFile: string;
}

/**
 * Sends a large object to Arcada by a resumable upload (https://tus.io/protocols/resumable-upload): bytes that arrived
 * before the connection broke, or before this program ended, are not sent again. Resolves when Arcada has confirmed
 * that it keeps the object.
 */
export async function sendResumable(ask: SendRequest, one: QueuedObject): Promise<void> {
  const file = { path: one.path, bytes: one.bytes, name: `${one.uid}.dcm`, addressFile: uploadAddressFile(one) };
  const id = await uploadFile(ask, file);
  await completeUploads(ask, { uploads: [id] }, id);
}

/** Sends a file, or the part of it that Arcada lacks. Resolves to the upload's id. */
export async function uploadFile(ask: SendRequest, file: ResumableFile): Promise<string> {
  const { pathname, offset } = (await findUpload(ask, file)) ?? (await beginUpload(ask, file));
  if (offset < file.bytes) {
    const chunk = { type: "application/offset+octet-stream", bytes: file.bytes - offset };
    const chunks = () => createReadStream(file.path, { start: offset, highWaterMark: 256 * 1024 });
    const sent = await ask("PATCH", pathname, {
      body: { ...chunk, pieces: chunks },
      headers: { ...tusHeaders, "upload-offset": String(offset) },
      silentMs: transferSilenceMs,
    });
    if (sent.status !== 204 || readOffset(sent) !== file.bytes) throw toCloudRefused(sent);
  }
  return pathname.split("/").at(-1)!;
}

/** Tells Arcada that the uploads are complete: they become studies. The key makes a repeated request count once. */
export async function completeUploads(
  ask: SendRequest,
  input: Input<typeof inboxCalls.send>,
  key: string,
): Promise<void> {
  const body = Buffer.from(JSON.stringify(input));
  const completed = await ask("POST", inboxCalls.send.path, {
    body: { type: "application/json", bytes: body.length, pieces: () => [body] },
    headers: { "idempotency-key": key },
  });
  // A proxy in front of Arcada may also answer 200. Only Arcada's answer names a job.
  if (completed.status !== 200 || !ingestResponse.safeParse(parseJson(completed.text)).success)
    throw toCloudRefused(completed);
}
const ingestResponse = responseEnvelope.extend({ code: z.literal(successCode), data: inboxCalls.send.output });
const readOffset = ({ headers }: CloudResponse): number => Number(headers["upload-offset"] ?? Number.NaN);

/**
 * Returns the path of an upload at Arcada. A proxy in front of Arcada may answer a whole address, with its own name and
 * path before it: this device's key is sent only to the address in the configuration.
 */
const parseUploadPath = (location: string): string | null => /\/uploads\/[\w-]+$/.exec(location)?.[0] ?? null;

const tusHeaders = { "tus-resumable": "1.0.0" };
interface UploadAddress {
  pathname: string;
  offset: number;
}

/** Null if no upload was begun, or Arcada does not know it any more. */
async function findUpload(ask: SendRequest, one: ResumableFile): Promise<UploadAddress | null> {
  const pathname = parseUploadPath(await readFile(one.addressFile, "utf8").catch(() => ""));
  if (pathname === null) return null;
  const found = await ask("HEAD", pathname, { headers: tusHeaders });
  const offset = readOffset(found);
  if (found.status === 200 && offset >= 0 && offset <= one.bytes) return { pathname, offset };
  // A proxy in front of Arcada may also answer 404. Then the upload starts again, and only the bytes already sent are
  // lost.
  if (found.status !== 404) throw toCloudRefused(found);
  await removeFile(one.addressFile);
  return null;
}

async function beginUpload(ask: SendRequest, one: ResumableFile): Promise<UploadAddress> {
  const made = await ask("POST", "/uploads", {
    headers: {
      ...tusHeaders,
      "upload-length": String(one.bytes),
      "upload-metadata": `filename ${Buffer.from(one.name).toString("base64")}`,
    },
  });
  const pathname = parseUploadPath(made.headers.location ?? "");
  if (made.status !== 201 || pathname === null) throw toCloudRefused(made);
  await writeFile(`${one.addressFile}~`, pathname, { mode: 0o600 });
  await rename(`${one.addressFile}~`, one.addressFile);
  return { pathname, offset: 0 };
}
