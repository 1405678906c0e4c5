import { leavingCalls } from "@arcada/contract/leaving/leaving.calls";
import type { Arrival } from "@arcada/contract/leaving/leaving.calls";
import { leavingRules } from "@arcada/contract/leaving/leaving.rules";
import { ask } from "../kernel/ask.ts";
import { sendPieces } from "../kernel/send-pieces.ts";

/** Uploads an archive in chunks, resuming an earlier attempt with the same file. */
export async function sendArchive(
  file: File,
  open: readonly Arrival[],
  hear: { progress: (share: number) => void; signal: AbortSignal },
): Promise<void> {
  const earlier = open.find(
    ({ state, name, bytes }) => state === "sending" && name === file.name && bytes === file.size,
  );
  const { id, offset } = earlier ?? (await ask(leavingCalls.import, { name: file.name, bytes: file.size }));
  await sendPieces(file, { path: `/imports/${id}`, offset, pieceBytes: leavingRules.pieceBytes, ...hear });
}
