import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const savedStateSchema = z.object({
  /** As last received from Arcada; null before Arcada was reached. */
  device: z.object({ name: z.string(), state: z.string(), clinic: z.string() }).nullable(),
  /** Time at which Arcada last accepted an object, in milliseconds. */
  lastSuccessAt: z.number().nullable(),
});
export type SavedState = z.output<typeof savedStateSchema>;

/** The last known state of Arcada, which survives a restart. */
export interface SavedStateFile {
  last: SavedState;
  save(now: SavedState): Promise<void>;
}

export async function openSavedState(folder: string): Promise<SavedStateFile> {
  const file = path.join(folder, "last.json");
  const read = await readFile(file, "utf8")
    .then((text) => savedStateSchema.parse(JSON.parse(text)))
    .catch(() => ({ device: null, lastSuccessAt: null }));
  return {
    last: read,
    // These data are not essential: a full disk must not stop anything.
    save: (now) =>
      writeFile(`${file}~`, JSON.stringify(now), { mode: 0o600 })
        .then(() => rename(`${file}~`, file))
        .catch(() => {}),
  };
}
