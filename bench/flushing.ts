import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";

/**
 * Returns the files with these bytes per second that a disk accepts from one writer, twenty at a time, with and without
 * waiting until they would survive a power failure: the cost of an acknowledgement.
 */
export async function flushingSpeed(below: string, files: readonly Uint8Array[], flushed: boolean): Promise<number> {
  const folder = mkdtempSync(path.join(below, "arcada-flushing-"));
  const from = performance.now();
  try {
    for (let at = 0; at < files.length; at += 20) {
      await Promise.all(
        files.slice(at, at + 20).map((bytes, place) => written(path.join(folder, String(at + place)), bytes, flushed)),
      );
      if (flushed) await synced(folder);
    }
    return (files.length * 1000) / (performance.now() - from);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function written(file: string, bytes: Uint8Array, flushed: boolean): Promise<void> {
  const handle = await open(file, "w");
  await handle.writeFile(bytes);
  if (flushed) await handle.sync();
  await handle.close();
}

async function synced(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}
