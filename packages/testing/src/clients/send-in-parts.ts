import { setTimeout as sleep } from "node:timers/promises";
import { present } from "../require-present.ts";

interface PartOptions {
  partBytes: number;
  /** The time between two parts, in ms. */
  pauseMs?: number;
  /** Called after each acknowledged part. */
  onPart?: () => void;
}
export interface SentInParts {
  id: string;
  /** The number of parts that were not acknowledged. */
  interrupted: number;
  /** Says where the upload became unknown, or continued before what had been acknowledged. */
  lost: string[];
}

/**
 * Sends a file in parts as tus 1.0 prescribes: after any failure it asks for the offset until a server answers, and
 * continues there. tus-js-client begins a new upload if a balancer answers 502 to that request.
 */
export async function sendInParts(
  address: string,
  token: string,
  bytes: Uint8Array<ArrayBuffer>,
  { partBytes, pauseMs = 0, onPart }: PartOptions,
): Promise<SentInParts> {
  const common = { token, "tus-resumable": "1.0.0" };
  const url = await create(address, common, bytes.length);
  const sent: SentInParts = { id: present(url.split("/").at(-1), "id"), interrupted: 0, lost: [] };
  for (let acknowledged = 0; acknowledged < bytes.length;) {
    const headers = {
      ...common,
      "upload-offset": String(acknowledged),
      "content-type": "application/offset+octet-stream",
    };
    const body = bytes.subarray(acknowledged, acknowledged + partBytes);
    const answer = await ask(url, { method: "PATCH", headers, body });
    const isTaken = answer?.status === 204;
    if (isTaken) onPart?.();
    else sent.interrupted++;
    const offset = isTaken ? readOffset(answer) : await findOffset(url, common);
    if (offset === null || offset < acknowledged) sent.lost.push(`${url}: ${offset} after ${acknowledged}`);
    if (offset === null) return sent;
    acknowledged = offset;
    await sleep(pauseMs);
  }
  return sent;
}

async function create(address: string, common: Record<string, string>, bytes: number): Promise<string> {
  const headers = { ...common, "upload-length": String(bytes), "upload-metadata": `filename ${btoa("image.dcm")}` };
  for (;;) {
    const answer = await ask(`${address}/uploads`, { method: "POST", headers });
    if (answer?.status === 201) return new URL(present(answer.headers.get("location"), "location"), address).href;
    await sleep(retryMs);
  }
}

/** Returns null if the upload is unknown. */
async function findOffset(url: string, headers: Record<string, string>): Promise<number | null> {
  for (;;) {
    const answer = await ask(url, { method: "HEAD", headers });
    if (answer?.ok) return readOffset(answer);
    if (answer && answer.status < 500) return null;
    await sleep(retryMs);
  }
}

const retryMs = 100;

/** Returns null if nobody answered. */
async function ask(url: string, init: RequestInit): Promise<Response | null> {
  const answer = await fetch(url, init).catch(() => null);
  await answer?.body?.cancel();
  return answer;
}

const readOffset = (answer: Response): number | null => {
  const text = answer.headers.get("upload-offset");
  return text === null ? null : Number(text);
};
