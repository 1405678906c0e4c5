import { createReadStream } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import { successCode } from "@arcada/contract/kernel/refusals";
import { inboxCalls } from "@arcada/contract/study/inbox.calls";
import { gone } from "../platform/storage/durable-writes.ts";
import { envelope, parsed, refusalOf, silentUnderBytesMs, type Answer, type Ask } from "./line.ts";
import { besideOf, type Waiting } from "./queue.ts";

/**
 * Sends a large object to Arcada by a resumable upload (https://tus.io/protocols/resumable-upload): bytes that arrived
 * before the connection broke, or before this program ended, are not sent again. Resolves when Arcada has confirmed
 * that it keeps the object.
 */
export async function bringResumed(ask: Ask, one: Waiting): Promise<void> {
  const address = (await goingOn(ask, one)) ?? (await begun(ask, one));
  const { pathname, offset } = address;
  if (offset < one.bytes) {
    const piece = { type: "application/offset+octet-stream", bytes: one.bytes - offset };
    const pieces = () => createReadStream(one.path, { start: offset, highWaterMark: 256 * 1024 });
    const sent = await ask("PATCH", pathname, {
      body: { ...piece, pieces },
      headers: { ...tus, "upload-offset": String(offset) },
      silentMs: silentUnderBytesMs,
    });
    if (sent.status !== 204 || offsetIn(sent) !== one.bytes) throw refusalOf(sent);
  }
  const id = pathname.split("/").at(-1)!;
  const body = Buffer.from(JSON.stringify({ uploads: [id] }));
  const told = await ask("POST", inboxCalls.send.path, {
    body: { type: "application/json", bytes: body.length, pieces: () => [body] },
    headers: { "idempotency-key": id },
  });
  // A proxy in front of Arcada may also answer 200. Only Arcada's answer names a job.
  if (told.status !== 200 || !taken.safeParse(parsed(told.text)).success) throw refusalOf(told);
}
const taken = envelope.extend({ code: z.literal(successCode), data: inboxCalls.send.output });
const offsetIn = ({ headers }: Answer): number => Number(headers["upload-offset"] ?? Number.NaN);

/**
 * Returns the path of an upload at Arcada. A proxy in front of Arcada may answer a whole address, with its own name and
 * path before it: this device's key is sent only to the address in the configuration.
 */
const uploadIn = (location: string): string | null => /\/uploads\/[\w-]+$/.exec(location)?.[0] ?? null;

const tus = { "tus-resumable": "1.0.0" };
interface Address {
  pathname: string;
  offset: number;
}

/** Null if no upload was begun, or Arcada does not know it any more. */
async function goingOn(ask: Ask, one: Waiting): Promise<Address | null> {
  const pathname = uploadIn(await readFile(besideOf(one), "utf8").catch(() => ""));
  if (pathname === null) return null;
  const found = await ask("HEAD", pathname, { headers: tus });
  const offset = offsetIn(found);
  if (found.status === 200 && offset >= 0 && offset <= one.bytes) return { pathname, offset };
  // A proxy in front of Arcada may also answer 404. Then the upload starts again, and only the bytes already sent are
  // lost.
  if (found.status !== 404) throw refusalOf(found);
  await gone(besideOf(one));
  return null;
}

async function begun(ask: Ask, one: Waiting): Promise<Address> {
  const made = await ask("POST", "/uploads", {
    headers: {
      ...tus,
      "upload-length": String(one.bytes),
      "upload-metadata": `filename ${Buffer.from(`${one.uid}.dcm`).toString("base64")}`,
    },
  });
  const pathname = uploadIn(made.headers.location ?? "");
  if (made.status !== 201 || pathname === null) throw refusalOf(made);
  await writeFile(`${besideOf(one)}~`, pathname, { mode: 0o600 });
  await rename(`${besideOf(one)}~`, besideOf(one));
  return { pathname, offset: 0 };
}
