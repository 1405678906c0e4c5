import type { FoundCase } from "@arcada/exchange/scan-folder/read-cases";
import { readCases } from "@arcada/exchange/scan-folder/read-cases";
import type { WorkMapping } from "@arcada/exchange/lab-case/work-mapping";
import { ArchiveError, listDroppedFiles } from "./unpack-archives.ts";
import type { ArchiveProblem, DroppedFile } from "./unpack-archives.ts";

/** Reads dropped files, or unpacks some of those that were read; one request at a time. */
export type CaseRequest =
  | { ask: "read"; files: { path: string; file: File }[]; mapping: WorkMapping; prefersChinese: boolean }
  | { ask: "unpack"; paths: string[] };
/** The answer to a request; a problem concerns the archives, those of a project are part of its case. */
export type CaseAnswer =
  | { cases: FoundCase[] }
  | { files: { path: string; file: File }[] }
  | { problem: ArchiveProblem };

/** The files of the last reading by their paths, still packed. */
let dropped = new Map<string, DroppedFile>();

addEventListener("message", ({ data }: MessageEvent<CaseRequest>) => {
  void answer(data).then((reply) => postMessage(reply));
});

async function answer(request: CaseRequest): Promise<CaseAnswer> {
  try {
    if (request.ask === "unpack") return { files: await Promise.all(request.paths.map(openFile)) };
    const listed = await listDroppedFiles(request.files, request.prefersChinese);
    dropped = new Map(listed.map((one) => [one.path, one]));
    return { cases: await readCases(listed, request.mapping) };
  } catch (error) {
    return { problem: error instanceof ArchiveError ? error.problem : "damaged" };
  }
}

/** A file of an archive gets its own name back, without the folders. */
async function openFile(path: string): Promise<{ path: string; file: File }> {
  const content = await dropped.get(path)!.open();
  if (content instanceof File) return { path, file: content };
  return { path, file: new File([content], path.slice(path.lastIndexOf("/") + 1)) };
}
