import path from "node:path";
import type { CaseFolder } from "@arcada/exchange/scan-folder/group-case-files";
import type { CasePatient } from "@arcada/exchange/lab-case/lab-case";
import type { FileHandle } from "node:fs/promises";
import { senderPerson } from "@arcada/contract/study/inbox.calls";
import type { SenderPerson } from "@arcada/contract/study/inbox.calls";
import { ExchangeError } from "@arcada/exchange/exchange-error";
import { open, readFile, readdir, stat } from "node:fs/promises";
import { readExocadProject } from "@arcada/exchange/exocad/read-exocad-project";
import { readThreeShapeOrder } from "@arcada/exchange/three-shape/read-three-shape-order";
import { xmlLimits } from "@arcada/exchange/xml/read-xml";

/** A file as one look at the folder found it. */
export interface SeenFile {
  /** Relative to the watched folder, with "/". */
  name: string;
  bytes: number;
  modifiedAt: number;
}

/** A folder of scans has less; a drive that somebody named by mistake has more. */
export const folderScanLimits = { files: 50_000, depth: 8 } as const;

/**
 * Lists the files below a folder. Links are not followed, so that nothing outside the folder is sent.
 * @throws if the folder itself cannot be read; files and folders that vanish meanwhile are left out
 */
export async function listFiles(folder: string): Promise<{ files: SeenFile[]; isCut: boolean }> {
  const files: SeenFile[] = [];
  const open: { at: string; depth: number }[] = [{ at: "", depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { at, depth } = next;
    const entries = await readdir(path.join(folder, at), { withFileTypes: true }).catch((error: unknown) => {
      if (at === "") throw error;
      return [];
    });
    for (const entry of entries) {
      const name = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory() && depth < folderScanLimits.depth) open.push({ at: name, depth: depth + 1 });
      if (!entry.isFile()) continue;
      if (files.length >= folderScanLimits.files) return { files, isCut: true };
      const seen = await stat(path.join(folder, name)).catch(() => null);
      if (seen?.isFile()) files.push({ name, bytes: seen.size, modifiedAt: seen.mtimeMs });
    }
  }
  return { files, isCut: false };
}

export type FileState = "sendable" | "growing" | "ignored" | "unreadable";

/** The endings of files that Arcada takes as images, models or documents. */
const taken = /\.(stl|ply|obj|3mf|mtl|jpe?g|png|tiff?|webp|pdf|dcm|zip)$/i;

/**
 * Says whether a file that no longer changes is complete: a binary STL says its own length. `.dcm` is DICOM only with
 * its mark (PS3.10 7.1); 3Shape gives its encrypted meshes the same ending.
 */
export async function checkFile(path: string, bytes: number): Promise<FileState> {
  if (!taken.test(path) || bytes === 0) return "ignored";
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    // A program on Windows that still writes holds the file.
    return ["EBUSY", "EPERM", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")
      ? "unreadable"
      : "growing";
  }
  try {
    const head = Buffer.alloc(132);
    const { bytesRead } = await file.read(head, 0, 132, 0);
    if (/\.dcm$/i.test(path))
      return bytesRead === 132 && head.subarray(128).toString("latin1") === "DICM" ? "sendable" : "ignored";
    if (/\.stl$/i.test(path)) return isWholeStl(head.subarray(0, bytesRead), bytes) ? "sendable" : "growing";
    return "sendable";
  } catch {
    return "growing";
  } finally {
    await file.close();
  }
}

/** A binary STL is 84 bytes and 50 for each triangle; a text begins with "solid". */
function isWholeStl(head: Buffer, bytes: number): boolean {
  if (head.length >= 84 && 84 + 50 * head.readUInt32LE(80) === bytes) return true;
  return head.subarray(0, 5).toString("latin1").toLowerCase() === "solid";
}

/**
 * Returns the person whom a case's project file names; null where there is none, or it cannot be read: the images then
 * wait in the inbox.
 */
export async function readCasePerson(folder: string, { project }: CaseFolder): Promise<SenderPerson | null> {
  if (!project) return null;
  const at = path.join(folder, project.path);
  const { size } = await stat(at);
  if (size > xmlLimits.bytes) return null;
  try {
    const bytes = await readFile(at);
    const { patient } = project.program === "exocad" ? readExocadProject(bytes, "case") : readThreeShapeOrder(bytes);
    return toSenderPerson(patient);
  } catch (error) {
    if (error instanceof ExchangeError) return null;
    throw error;
  }
}

function toSenderPerson({ number, lastName, firstName }: CasePatient): SenderPerson | null {
  const name = [lastName, firstName].filter(Boolean).join("^").slice(0, 200);
  if (name === "" && number === null) return null;
  // A name that cannot be stored must not keep the images out: they wait in the inbox without one.
  return senderPerson.safeParse({ number: (number ?? "").slice(0, 64), name }).data ?? null;
}
