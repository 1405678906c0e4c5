import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** A data folder of its own in which what is made for a bench stays: made once, looked at again and again within a day. */
export const keptFolder = process.env.ARCADA_BENCH_KEEP;

/** What was made in this folder before, or is made now. */
export async function keptIn<T>(folder: string, name: string, make: () => Promise<T>): Promise<T> {
  const file = path.join(folder, `bench-${name}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as T;
  const made = await make();
  writeFileSync(file, JSON.stringify(made));
  return made;
}
