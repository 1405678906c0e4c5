import type { Pdf } from "./text-runs.ts";
import type { TextStyle } from "./text-layout.ts";

/** The position at which the next block is drawn. */
export interface Sheet {
  pdf: Pdf;
  x: number;
  y: number;
  width: number;
  bottom: number;
  newPage: () => void;
  /** Starts a new page if fewer than this many points are left. */
  requireSpace: (height: number) => void;
  /** Writes text from `x` on with the given width, and moves the position below it. */
  write: (text: string, look: TextStyle, at?: { x: number; width: number }) => void;
}
