import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { imageLabels, type ImageLabels } from "@arcada/contract/analysis/trial";

/** A picture with what is true of it. */
export interface LabelledImage {
  /** Of the picture, a PNG. */
  path: string;
  labels: ImageLabels;
  /** Of the picture, and of both together. */
  sha256: string;
  sum: string;
}

/**
 * The pictures of a folder, as an archive for training and trials has them: `….png`, and beside it `….json`.
 * @param folder the archive unpacked, or what it holds of pictures that were held back
 */
export function* imagesIn(folder: string): Generator<LabelledImage | { path: string; labels: null }> {
  const own = path.join(folder, "trial");
  const from = existsSync(own) ? own : folder;
  for (const name of globSync("**/*.png", { cwd: from }).toSorted()) {
    const at = path.join(from, name);
    const beside = at.replace(/\.png$/, ".json");
    const text = existsSync(beside) ? readFileSync(beside) : null;
    const labels = text && labelsIn(text.toString());
    if (!labels) yield { path: at, labels: null };
    else {
      const sha256 = sumOf(readFileSync(at));
      yield { path: at, labels, sha256, sum: sumOf(`${sha256} ${sumOf(text)}`) };
    }
  }
}

function labelsIn(text: string): ImageLabels | null {
  try {
    return imageLabels.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Of a set, in whatever order its images lie. */
export const setSum = (sums: readonly string[]): string => sumOf(sums.toSorted().join("\n"));
const sumOf = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
