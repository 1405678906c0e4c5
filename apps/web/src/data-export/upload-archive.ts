import { dataExportCalls } from "@arcada/contract/data-export/data-export.calls";
import type { DataImport } from "@arcada/contract/data-export/data-export.calls";
import { dataExportRules } from "@arcada/contract/data-export/data-export.rules";
import { ask } from "../data/ask.ts";
import { uploadInParts } from "../data/upload-in-parts.ts";

/** Uploads an archive in chunks, resuming an earlier attempt with the same file. */
export async function uploadArchive(
  file: File,
  openImports: readonly DataImport[],
  options: { progress: (share: number) => void; signal: AbortSignal },
): Promise<void> {
  const earlier = openImports.find(
    ({ state, name, bytes }) => state === "sending" && name === file.name && bytes === file.size,
  );
  const { id, offset } = earlier ?? (await ask(dataExportCalls.import, { name: file.name, bytes: file.size }));
  await uploadInParts(file, { path: `/imports/${id}`, offset, pieceBytes: dataExportRules.chunkBytes, ...options });
}
