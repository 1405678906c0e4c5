import { createReadStream } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
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

/**
 * Sends a large object to Arcada by a resumable upload (https://tus.io/protocols/resumable-upload): bytes that arrived
 * before the connection broke, or before this program ended, are not sent again. Resolves when Arcada has confirmed
 * that it keeps the object.
 */
export async function sendResumable(ask: SendRequest, one: QueuedObject): Promise<void> {
  const address = (await findUpload(ask, one)) ?? (await beginUpload(ask, one));
  const { pathname, offset } = address;
  if (offset < one.bytes) {
    const chunk = { type: "application/offset+octet-stream", bytes: one.bytes - offset };
    const chunks = () => createReadStream(one.path, { start: offset, highWaterMark: 256 * 1024 });
    const sent = await ask("PATCH", pathname, {
      body: { ...chunk, pieces: chunks },
      headers: { ...tusHeaders, "upload-offset": String(offset) },
      silentMs: transferSilenceMs,
    });
    if (sent.status !== 204 || readOffset(sent) !== one.bytes) throw toCloudRefused(sent);
  }
  const id = pathname.split("/").at(-1)!;
  const body = Buffer.from(JSON.stringify({ uploads: [id] }));
  const completed = await ask("POST", inboxCalls.send.path, {
    body: { type: "application/json", bytes: body.length, pieces: () => [body] },
    headers: { "idempotency-key": id },
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
async function findUpload(ask: SendRequest, one: QueuedObject): Promise<UploadAddress | null> {
  const pathname = parseUploadPath(await readFile(uploadAddressFile(one), "utf8").catch(() => ""));
  if (pathname === null) return null;
  const found = await ask("HEAD", pathname, { headers: tusHeaders });
  const offset = readOffset(found);
  if (found.status === 200 && offset >= 0 && offset <= one.bytes) return { pathname, offset };
  // A proxy in front of Arcada may also answer 404. Then the upload starts again, and only the bytes already sent are
  // lost.
  if (found.status !== 404) throw toCloudRefused(found);
  await removeFile(uploadAddressFile(one));
  return null;
}

async function beginUpload(ask: SendRequest, one: QueuedObject): Promise<UploadAddress> {
  const made = await ask("POST", "/uploads", {
    headers: {
      ...tusHeaders,
      "upload-length": String(one.bytes),
      "upload-metadata": `filename ${Buffer.from(`${one.uid}.dcm`).toString("base64")}`,
    },
  });
  const pathname = parseUploadPath(made.headers.location ?? "");
  if (made.status !== 201 || pathname === null) throw toCloudRefused(made);
  await writeFile(`${uploadAddressFile(one)}~`, pathname, { mode: 0o600 });
  await rename(`${uploadAddressFile(one)}~`, uploadAddressFile(one));
  return { pathname, offset: 0 };
}
