import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { imageLabels, type ImageLabels } from "@arcada/contract/analysis/engine-trial";

/** An image with its true labels. */
export interface LabelledImage {
  /** The path of the image, a PNG. */
  path: string;
  labels: ImageLabels;
  /** The checksum of the image; `sum` is the checksum of the image and its labels together. */
  sha256: string;
  sum: string;
}

/**
 * Returns the images of a folder in the layout of the archive for training and trials: each `….png` with its `….json`.
 * @param folder the unpacked archive, or its folder of images that were held back
 */
export function* listLabelledImages(folder: string): Generator<LabelledImage | { path: string; labels: null }> {
  const own = path.join(folder, "trial");
  const from = existsSync(own) ? own : folder;
  for (const name of globSync("**/*.png", { cwd: from }).toSorted()) {
    const at = path.join(from, name);
    const beside = at.replace(/\.png$/, ".json");
    const text = existsSync(beside) ? readFileSync(beside) : null;
    const labels = text && parseLabels(text.toString());
    if (!labels) yield { path: at, labels: null };
    else {
      const sha256 = checksum(readFileSync(at));
      yield { path: at, labels, sha256, sum: checksum(`${sha256} ${checksum(text)}`) };
    }
  }
}

function parseLabels(text: string): ImageLabels | null {
  try {
    return imageLabels.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Returns the checksum of a set; it does not depend on the order of the images. */
export const checksumOfSet = (sums: readonly string[]): string => checksum(sums.toSorted().join("\n"));
const checksum = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
