import { refusals } from "@arcada/contract/kernel/refusals";
import { RefusedAnswer } from "./refused.ts";
import { uploadSession } from "./upload-session.ts";

interface Sending {
  /** Where its pieces are put. */
  path: string;
  /** How much of it is there already. */
  offset: number;
  pieceBytes: number;
  progress?: (share: number) => void;
  signal?: AbortSignal;
}
const tries = 8;

/**
 * Sends a file piece by piece. Throws what the server refuses, and the last error when it could not be reached for about
 * two minutes.
 */
export async function sendPieces(file: File, { path, offset, pieceBytes, progress, signal }: Sending): Promise<void> {
  let [at, failed] = [offset, 0];
  while (at < file.size) {
    signal?.throwIfAborted();
    try {
      at = await sendPiece(path, file.slice(at, at + pieceBytes), at, signal);
      failed = 0;
    } catch (error) {
      if (signal?.aborted || error instanceof RefusedAnswer || ++failed >= tries) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** Math.min(failed, 5)));
    }
    progress?.(at / file.size);
  }
}

/** Answers how much the server has now. */
async function sendPiece(path: string, piece: Blob, at: number, signal: AbortSignal | undefined): Promise<number> {
  const headers = uploadSession.headers();
  const response = await fetch(path, {
    method: "PUT",
    headers: { ...headers, "content-type": "application/offset+octet-stream", "upload-offset": String(at) },
    body: piece,
    signal: signal ?? null,
  });
  uploadSession.answered(response.headers.get("new-token") ?? undefined, headers["token"]);
  const body = (await response.json()) as { code: number; msg: string; data: { offset?: number | string } | null };
  if (response.ok) return Number(body.data?.offset);
  // An answer was lost on its way: the server says where it stands.
  if (body.code === refusals.uploadOffset.code && body.data?.offset !== undefined) return Number(body.data.offset);
  if (response.status >= 500 || busy.includes(body.code)) throw new Error(body.msg);
  throw new RefusedAnswer({
    code: body.code,
    status: response.status,
    msg: body.msg,
    details: body.data,
    requestId: response.headers.get("request-id"),
  });
}

/** Another piece, which was given up here, is still being written there. */
const busy: readonly number[] = [refusals.importBusy.code, refusals.pieceBusy.code];
