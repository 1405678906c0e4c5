import { jawOf } from "@arcada/contract/kernel/tooth-numbers";

/** The files of an order that 3Shape Dental Manager imports by their names. */
export type ScanNames = Record<"upperScan" | "lowerScan" | "bite", string>;

/**
 * Returns the names, without extension, of the scans for 3Shape: preparation and antagonist if the work is in one jaw,
 * else those of a scanner's export, which say the jaw.
 * @param teeth FDI numbers of the teeth that are treated
 */
export function nameScansForThreeShape(teeth: readonly number[]): ScanNames {
  const jaws = new Set(teeth.map(jawOf));
  if (jaws.size !== 1) return { upperScan: "UpperJawScan", lowerScan: "LowerJawScan", bite: "BiteScan" };
  const [preparation, antagonist] = ["Raw Preparation scan", "Raw Antagonist scan"] as const;
  return jaws.has("maxilla")
    ? { upperScan: preparation, lowerScan: antagonist, bite: "Raw Bite scan" }
    : { upperScan: antagonist, lowerScan: preparation, bite: "Raw Bite scan" };
}
