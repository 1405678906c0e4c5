import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";

/**
 * Returns the files with these bytes per second that a disk accepts from one writer, twenty at a time, with and without
 * waiting until they would survive a power failure: the cost of an acknowledgement.
 */
export async function measureWriteSpeed(
  parent: string,
  files: readonly Uint8Array[],
  withFsync: boolean,
): Promise<number> {
  const folder = mkdtempSync(path.join(parent, "arcada-flushing-"));
  const from = performance.now();
  try {
    for (let at = 0; at < files.length; at += 20) {
      await Promise.all(
        files
          .slice(at, at + 20)
          .map((bytes, place) => writeOne(path.join(folder, String(at + place)), bytes, withFsync)),
      );
      if (withFsync) await syncFolder(folder);
    }
    return (files.length * 1000) / (performance.now() - from);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writeOne(file: string, bytes: Uint8Array, withFsync: boolean): Promise<void> {
  const handle = await open(file, "w");
  await handle.writeFile(bytes);
  if (withFsync) await handle.sync();
  await handle.close();
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}
