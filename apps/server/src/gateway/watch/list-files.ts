import { readdir, stat } from "node:fs/promises";
import path from "node:path";

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
