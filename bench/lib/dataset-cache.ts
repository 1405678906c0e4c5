import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** A data folder that keeps the data of a benchmark, so that it is created once and reused within a day. */
export const datasetFolder = process.env.ARCADA_BENCH_KEEP;

/** Returns the data that was made in this folder before, or makes it now. */
export async function loadOrCreate<T>(folder: string, name: string, make: () => Promise<T>): Promise<T> {
  const file = path.join(folder, `bench-${name}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as T;
  const made = await make();
  writeFileSync(file, JSON.stringify(made));
  return made;
}
