import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { deserialize, serialize } from "node:v8";
import type { NamedBytes } from "./create-images.ts";

/**
 * Reads images that were made before from the same sources, so that another start on this machine need not compute them
 * again.
 */
export function readOrCreate(task: unknown, make: () => NamedBytes[]): NamedBytes[] {
  const folder = path.join(cacheFolder, hashSources());
  const file = path.join(folder, createHash("sha256").update(JSON.stringify(task)).digest("hex"));
  const cached = nullOnError(() => deserialize(readFileSync(file)) as NamedBytes[]);
  if (cached) return cached;
  const made = make();
  // A folder that cannot be written costs time, nothing else.
  nullOnError(() => {
    mkdirSync(folder, { recursive: true });
    for (const old of readdirSync(cacheFolder))
      if (old !== path.basename(folder)) rmSync(path.join(cacheFolder, old), removeOptions);
    const partialFile = `${file}.${process.pid}`;
    writeFileSync(partialFile, serialize(made));
    renameSync(partialFile, file);
  });
  return made;
}

const root = path.resolve(import.meta.dirname, "..");
const cacheFolder = path.join(root, ".build", "demo-images");
const removeOptions = { recursive: true, force: true } as const;

/** A hash of everything that determines the images. */
function hashSources(): string {
  const hash = createHash("sha256");
  const phantoms = path.join(root, "packages/imaging/src");
  for (const folder of [import.meta.dirname, phantoms])
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted())
      if (name.endsWith(".ts") && !name.endsWith(".test.ts"))
        hash.update(`${name}\0`).update(readFileSync(path.join(folder, name)));
  return hash.digest("hex").slice(0, 16);
}

function nullOnError<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
