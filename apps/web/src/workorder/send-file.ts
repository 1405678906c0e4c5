import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { WorkorderFile } from "@arcada/contract/workorder/workorder.calls";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import type { WorkorderFileRole } from "@arcada/contract/workorder/workorder.rules";
import { ask } from "../kernel/ask.ts";
import { sendPieces } from "../kernel/send-pieces.ts";

interface Sending {
  order: string;
  role: WorkorderFileRole;
  file: File;
  /** The file of an earlier attempt; sending resumes at its offset. */
  known: WorkorderFile | undefined;
  progress: (share: number) => void;
  announced: (id: string) => void;
  signal: AbortSignal;
}

/** Sends a file in chunks. Throws the server's rejection, or the last error if it cannot be reached. */
export async function sendFile({ order, role, file, known, progress, announced, signal }: Sending): Promise<void> {
  const target =
    known ??
    (await ask(workorderCalls.addFile, { id: order, role, name: file.name, bytes: file.size }, { shownBy: "page" }));
  announced(target.id);
  await sendPieces(file, {
    path: `/work-order-files/${target.id}`,
    offset: target.offset,
    pieceBytes: workorderRules.pieceBytes,
    tries: 4,
    progress,
    signal,
  });
}
