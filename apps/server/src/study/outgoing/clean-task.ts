import type { Deidentification } from "@arcada/imaging/dicom/deidentify";

/** How a file is freed of names, in a form that travels to a thread. */
export interface Manner extends Omit<Deidentification, "uid"> {
  /** Hexadecimal: other UIDs come from it and the old ones. */
  key: string;
}
export interface CleanTask {
  path: string;
  /** Where the copy is written. */
  out: string;
  manner: Manner;
}
