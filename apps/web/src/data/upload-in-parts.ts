import { refusals } from "@arcada/contract/kernel/refusals";
import { RefusalError, toRefusalError } from "./call-errors.ts";
import { uploadSession } from "./upload-authentication.ts";

interface PartUploadOptions {
  /** The address to which its parts are sent. */
  path: string;
  /** Number of bytes that have already arrived. */
  offset: number;
  pieceBytes: number;
  /** Number of failures in a row before it gives up. */
  maxFailures?: number;
  progress?: (share: number) => void;
  signal?: AbortSignal;
}

/**
 * Uploads a file in parts. Throws the server's refusal, and the last error if the server could not be reached: with the
 * default number of retries, after about two minutes.
 */
export async function uploadInParts(
  file: File,
  { path, offset, pieceBytes, maxFailures = 8, progress, signal }: PartUploadOptions,
): Promise<void> {
  let [at, failures] = [offset, 0];
  // A complete set of bytes is not the end: the upload may have been interrupted after the last of them, and an empty
  // part asks for its completion.
  for (let isComplete = false; !isComplete;) {
    signal?.throwIfAborted();
    try {
      const answer = await uploadPart(path, file.slice(at, at + pieceBytes), at, signal);
      [at, failures] = [answer.at, 0];
      isComplete = answer.isAccepted && at >= file.size;
    } catch (error) {
      if (signal?.aborted || error instanceof RefusalError || ++failures >= maxFailures) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** Math.min(failures, 5)));
    }
    progress?.(at / file.size);
  }
}

/** Returns the number of bytes that the server has now, and if it has accepted this part. */
async function uploadPart(
  path: string,
  part: Blob,
  at: number,
  signal: AbortSignal | undefined,
): Promise<{ at: number; isAccepted: boolean }> {
  const headers = uploadSession.headers();
  const response = await fetch(path, {
    method: "PUT",
    headers: { ...headers, "content-type": "application/offset+octet-stream", "upload-offset": String(at) },
    body: part,
    signal: signal ?? null,
  });
  uploadSession.answered(response.headers.get("new-token") ?? undefined, headers["token"]);
  const body = (await response.json()) as { code: number; msg: string; data: { offset?: number | string } | null };
  if (response.ok) return { at: Number(body.data?.offset), isAccepted: true };
  // An answer was lost in transit: the server reports its offset.
  if (body.code === refusals.uploadOffset.code && body.data?.offset !== undefined)
    return { at: Number(body.data.offset), isAccepted: false };
  if (response.status >= 500 || busyCodes.includes(body.code)) throw new Error(body.msg);
  throw toRefusalError(response, body);
}

/** The server is still writing another part, whose upload was aborted here. */
const busyCodes: readonly number[] = [
  refusals.importBusy.code,
  refusals.pieceBusy.code,
  refusals.workorderFileBusy.code,
];
