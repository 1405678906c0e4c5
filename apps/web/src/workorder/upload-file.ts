import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { WorkorderFile } from "@arcada/contract/workorder/workorder.schema";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import type { WorkorderFileRole } from "@arcada/contract/workorder/workorder.rules";
import { ask } from "../data/ask.ts";
import { uploadInParts } from "../data/upload-in-parts.ts";

interface SendFileOptions {
  order: string;
  role: WorkorderFileRole;
  file: File;
  /** The file of an earlier attempt; sending resumes at its offset. */
  existing: WorkorderFile | undefined;
  onProgress: (share: number) => void;
  onCreated: (id: string) => void;
  signal: AbortSignal;
}

/** Sends a file in chunks. Throws the server's rejection, or the last error if it cannot be reached. */
export async function uploadFile({
  order,
  role,
  file,
  existing,
  onProgress,
  onCreated,
  signal,
}: SendFileOptions): Promise<void> {
  const target =
    existing ??
    (await ask(workorderCalls.addFile, { id: order, role, name: file.name, bytes: file.size }, { shownBy: "page" }));
  onCreated(target.id);
  await uploadInParts(file, {
    path: `/work-order-files/${target.id}`,
    offset: target.offset,
    pieceBytes: workorderRules.chunkBytes,
    maxFailures: 4,
    progress: onProgress,
    signal,
  });
}
