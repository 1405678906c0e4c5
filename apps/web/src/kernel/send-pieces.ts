import { refusals } from "@arcada/contract/kernel/refusals";
import { RefusedAnswer, refusedBy } from "./refused.ts";
import { uploadSession } from "./upload-session.ts";

interface Sending {
  /** Where its pieces are put. */
  path: string;
  /** How much of it is there already. */
  offset: number;
  pieceBytes: number;
  /** How often in a row it may fail. */
  tries?: number;
  progress?: (share: number) => void;
  signal?: AbortSignal;
}

/**
 * Sends a file piece by piece. Throws what the server refuses, and the last error when it could not be reached: with the
 * usual tries, for about two minutes.
 */
export async function sendPieces(
  file: File,
  { path, offset, pieceBytes, tries = 8, progress, signal }: Sending,
): Promise<void> {
  let [at, failed] = [offset, 0];
  // Bytes that lie there are not the end: it was cut off behind the last of them, and an empty piece asks for it.
  for (let isOver = false; !isOver;) {
    signal?.throwIfAborted();
    try {
      const answer = await sendPiece(path, file.slice(at, at + pieceBytes), at, signal);
      [at, failed] = [answer.at, 0];
      isOver = answer.isTaken && at >= file.size;
    } catch (error) {
      if (signal?.aborted || error instanceof RefusedAnswer || ++failed >= tries) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** Math.min(failed, 5)));
    }
    progress?.(at / file.size);
  }
}

/** Answers how much the server has now, and whether it has taken this piece. */
async function sendPiece(
  path: string,
  piece: Blob,
  at: number,
  signal: AbortSignal | undefined,
): Promise<{ at: number; isTaken: boolean }> {
  const headers = uploadSession.headers();
  const response = await fetch(path, {
    method: "PUT",
    headers: { ...headers, "content-type": "application/offset+octet-stream", "upload-offset": String(at) },
    body: piece,
    signal: signal ?? null,
  });
  uploadSession.answered(response.headers.get("new-token") ?? undefined, headers["token"]);
  const body = (await response.json()) as { code: number; msg: string; data: { offset?: number | string } | null };
  if (response.ok) return { at: Number(body.data?.offset), isTaken: true };
  // An answer was lost on its way: the server says where it stands.
  if (body.code === refusals.uploadOffset.code && body.data?.offset !== undefined)
    return { at: Number(body.data.offset), isTaken: false };
  if (response.status >= 500 || busy.includes(body.code)) throw new Error(body.msg);
  throw refusedBy(response, body);
}

/** Another piece, which was given up here, is still being written there. */
const busy: readonly number[] = [refusals.importBusy.code, refusals.pieceBusy.code, refusals.workorderFileBusy.code];
