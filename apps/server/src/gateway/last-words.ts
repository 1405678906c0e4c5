import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const words = z.object({
  /** As Arcada told it last; null before it was reached. */
  device: z.object({ name: z.string(), state: z.string(), clinic: z.string() }).nullable(),
  /** When Arcada took something last, in milliseconds. */
  lastSuccessAt: z.number().nullable(),
});
export type Words = z.output<typeof words>;

/** What was known of Arcada last, which a restart does not forget. */
export interface LastWords {
  last: Words;
  keep(now: Words): Promise<void>;
}

export async function openLastWords(folder: string): Promise<LastWords> {
  const file = path.join(folder, "last.json");
  const read = await readFile(file, "utf8")
    .then((text) => words.parse(JSON.parse(text)))
    .catch(() => ({ device: null, lastSuccessAt: null }));
  return {
    last: read,
    // Of no weight: a disk that is full holds nothing up.
    keep: (now) =>
      writeFile(`${file}~`, JSON.stringify(now), { mode: 0o600 })
        .then(() => rename(`${file}~`, file))
        .catch(() => {}),
  };
}
