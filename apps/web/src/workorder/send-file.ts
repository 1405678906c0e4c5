import { refusals } from "@arcada/contract/kernel/refusals";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { WorkorderFile } from "@arcada/contract/workorder/workorder.calls";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import type { WorkorderFileRole } from "@arcada/contract/workorder/workorder.rules";
import { ask } from "../kernel/ask.ts";
import { RefusedAnswer } from "../kernel/refused.ts";
import { uploadSession } from "../kernel/upload-session.ts";

const tries = 4;

interface Sending {
  order: string;
  role: WorkorderFileRole;
  file: File;
  /** Of an earlier attempt, from where that ended. */
  known: WorkorderFile | undefined;
  progress: (share: number) => void;
  announced: (id: string) => void;
  signal: AbortSignal;
}

/** Sends a file piece by piece; throws what the server refuses, and the last error where it cannot be reached. */
export async function sendFile({ order, role, file, known, progress, announced, signal }: Sending): Promise<void> {
  const target =
    known ??
    (await ask(workorderCalls.addFile, { id: order, role, name: file.name, bytes: file.size }, { shownBy: "page" }));
  announced(target.id);
  let [at, failed] = [target.offset, 0];
  for (let isHere = false; !isHere;) {
    signal.throwIfAborted();
    try {
      at = await sendPiece(target.id, file, at, signal);
      isHere = at >= file.size;
      failed = 0;
    } catch (error) {
      if (signal.aborted || error instanceof RefusedAnswer || ++failed >= tries) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** failed));
    }
    progress(at / file.size);
  }
}

/** Answers how much the server has now. */
async function sendPiece(id: string, file: File, at: number, signal: AbortSignal): Promise<number> {
  const headers = uploadSession.headers();
  const response = await fetch(`/work-order-files/${id}`, {
    method: "PUT",
    headers: { ...headers, "content-type": "application/offset+octet-stream", "upload-offset": String(at) },
    body: file.slice(at, at + workorderRules.pieceBytes),
    signal,
  });
  uploadSession.answered(response.headers.get("new-token") ?? undefined, headers["token"]);
  const body = (await response.json()) as { code: number; msg: string; data: { offset?: number | string } | null };
  if (response.ok) return Number(body.data?.offset);
  // An answer was lost on its way: the server says where it stands.
  if (body.code === refusals.uploadOffset.code && body.data?.offset !== undefined) return Number(body.data.offset);
  if (response.status >= 500 || body.code === refusals.workorderFileBusy.code) throw new Error(body.msg);
  throw new RefusedAnswer({
    code: body.code,
    status: response.status,
    msg: body.msg,
    details: body.data,
    requestId: response.headers.get("request-id"),
  });
}
