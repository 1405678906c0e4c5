import { mkdir, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { gone, sizeOf, syncFile, syncFolder } from "./files-durable.ts";
import { hashFile } from "./files.ts";
import type { Stored } from "./files.ts";

/** Where the bytes of unfinished uploads lie. */
export interface Parts {
  pathOf(id: string): string;
  bytes(id: string): Promise<number | null>;
  /** What is there now would survive a power failure, and is hashed. */
  settle(id: string): Promise<Stored>;
  remove(id: string): Promise<void>;
  list(): Promise<{ id: string; touchedAt: number }[]>;
}

export async function openParts(dataDir: string): Promise<Parts> {
  const folder = path.join(dataDir, "uploads");
  await mkdir(folder, { recursive: true });
  await syncFolder(dataDir);
  const pathOf = (id: string): string => {
    if (!/^[0-9a-f-]{36}$/.test(id)) throw new TypeError("not an upload's id");
    return path.join(folder, id);
  };
  return {
    pathOf,
    bytes: (id) => sizeOf(pathOf(id)),
    settle: async (id) => {
      await syncFile(pathOf(id));
      return hashFile(pathOf(id));
    },
    remove: (id) => gone(pathOf(id)),
    list: async () => {
      const found = await Promise.all((await readdir(folder)).map(async (id) => ({ id, touchedAt: (await stat(path.join(folder, id)).catch(() => null))?.mtimeMs })));
      return found.flatMap(({ id, touchedAt }) => (touchedAt === undefined ? [] : [{ id, touchedAt }]));
    },
  };
}
