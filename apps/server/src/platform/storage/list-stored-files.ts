import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { storageAreas, parseFileKey, type StoredName } from "./file-store.ts";

/** Lists the files of a store on disk that are older than `before`, one folder at a time. */
export async function* listDiskFiles(root: string, before: Date): AsyncGenerator<StoredName[]> {
  for (const area of storageAreas)
    for (const iid of await listNames(path.join(root, area)))
      for (const part of await listNames(path.join(root, area, iid))) {
        const old: StoredName[] = [];
        for (const sha256 of await listNames(path.join(root, area, iid, part))) {
          const name = parseFileKey(`${area}/${iid}/${part}/${sha256}`);
          const found = await stat(path.join(root, area, iid, part, sha256)).catch(() => null);
          if (name && found && found.mtimeMs < before.getTime()) old.push(name);
        }
        if (old.length > 0) yield old;
      }
}

const listNames = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
