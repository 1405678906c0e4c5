import { refusals } from "@arcada/contract/kernel/refusals";
import { leavingCalls } from "@arcada/contract/leaving/leaving.calls";
import type { Arrival } from "@arcada/contract/leaving/leaving.calls";
import { leavingRules } from "@arcada/contract/leaving/leaving.rules";
import { ask } from "../kernel/ask.ts";
import { RefusedAnswer } from "../kernel/refused.ts";
import { uploadSession } from "../kernel/upload-session.ts";

const tries = 8;

/**
 * Sends an archive piece by piece, from where an earlier attempt with the same file ended. Throws what the server
 * refuses, and the last error when it could not be reached for about two minutes.
 */
export async function sendArchive(
  file: File,
  open: readonly Arrival[],
  hear: { progress: (share: number) => void; signal: AbortSignal },
): Promise<void> {
  const earlier = open.find(
    ({ state, name, bytes }) => state === "sending" && name === file.name && bytes === file.size,
  );
  const arrival = earlier ?? (await ask(leavingCalls.import, { name: file.name, bytes: file.size }));
  let [at, failed] = [arrival.offset, 0];
  while (at < file.size) {
    hear.signal.throwIfAborted();
    try {
      at = await sendPiece(arrival.id, file, at, hear.signal);
      failed = 0;
    } catch (error) {
      if (hear.signal.aborted || error instanceof RefusedAnswer || ++failed >= tries) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** Math.min(failed, 5)));
    }
    hear.progress(at / file.size);
  }
}

/** Answers how much the server has now. */
async function sendPiece(id: string, file: File, at: number, signal: AbortSignal): Promise<number> {
  const headers = uploadSession.headers();
  const response = await fetch(`/imports/${id}`, {
    method: "PUT",
    headers: { ...headers, "content-type": "application/offset+octet-stream", "upload-offset": String(at) },
    body: file.slice(at, at + leavingRules.pieceBytes),
    signal,
  });
  uploadSession.answered(response.headers.get("new-token") ?? undefined, headers["token"]);
  const body = (await response.json()) as { code: number; msg: string; data: { offset?: number | string } | null };
  if (response.ok) return Number(body.data?.offset);
  // An answer was lost on its way: the server says where it stands.
  if (body.code === refusals.uploadOffset.code && body.data?.offset !== undefined) return Number(body.data.offset);
  if (response.status >= 500 || body.code === refusals.importBusy.code) throw new Error(body.msg);
  throw new RefusedAnswer({
    code: body.code,
    status: response.status,
    msg: body.msg,
    details: body.data,
    requestId: response.headers.get("request-id"),
  });
}
