import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";

export type FileState = "sendable" | "growing" | "ignored" | "unreadable";

/** The endings of files that Arcada takes as images, models or documents. */
const taken = /\.(stl|ply|obj|mtl|jpe?g|png|tiff?|webp|pdf|dcm|zip)$/i;

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
