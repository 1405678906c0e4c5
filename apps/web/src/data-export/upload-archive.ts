import { leavingCalls } from "@arcada/contract/leaving/leaving.calls";
import type { Arrival } from "@arcada/contract/leaving/leaving.calls";
import { leavingRules } from "@arcada/contract/leaving/leaving.rules";
import { ask } from "../data/ask.ts";
import { uploadInParts } from "../data/upload-in-parts.ts";

/** Uploads an archive in chunks, resuming an earlier attempt with the same file. */
export async function uploadArchive(
  file: File,
  openImports: readonly Arrival[],
  options: { progress: (share: number) => void; signal: AbortSignal },
): Promise<void> {
  const earlier = openImports.find(
    ({ state, name, bytes }) => state === "sending" && name === file.name && bytes === file.size,
  );
  const { id, offset } = earlier ?? (await ask(leavingCalls.import, { name: file.name, bytes: file.size }));
  await uploadInParts(file, { path: `/imports/${id}`, offset, pieceBytes: leavingRules.pieceBytes, ...options });
}
