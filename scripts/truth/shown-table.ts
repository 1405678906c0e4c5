import { readFileSync } from "node:fs";

/** A first frame as it is shown, and how far DCMTK's own picture of it is from ours. */
export interface ShownRow {
  file: string;
  /** What DCMTK was told: the file's window or table, or the one that we found. */
  told: string;
  /** SHA-256 of our bytes. */
  ours: string;
  /** Of 256 shades, at most; null where DCMTK shows nothing. */
  furthest: number | null;
  /** Why the two differ, where that is known and right. */
  note?: string;
}

const place = new URL("shown-truth.json", import.meta.url);

export const shownTable = (): ShownRow[] => JSON.parse(readFileSync(place, "utf8")) as ShownRow[];
