import { readFileSync } from "node:fs";

/** A displayed first frame, and its difference from DCMTK's own image of it. */
export interface RenderedRow {
  file: string;
  /** The option for DCMTK: the file's window or table, or the one that we determined. */
  told: string;
  /** SHA-256 of our bytes. */
  ours: string;
  /** The largest difference in grey values, of 256; null if DCMTK shows nothing. */
  furthest: number | null;
  /** The reason for a difference, if it is known and correct. */
  note?: string;
}

const tableFile = new URL("rendered-table.json", import.meta.url);

export const readRenderedTable = (): RenderedRow[] => JSON.parse(readFileSync(tableFile, "utf8")) as RenderedRow[];
