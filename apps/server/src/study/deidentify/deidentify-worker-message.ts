import type { DeidentifyOptions } from "@arcada/imaging/dicom/deidentify/deidentify-dicom";

/** The settings for de-identifying a file, in a form that can be sent to a thread. */
export interface SerializedDeidentifyOptions extends Omit<DeidentifyOptions, "uid"> {
  /** Hexadecimal: new UIDs are derived from it and the old ones. */
  key: string;
}
export interface DeidentifyTask {
  path: string;
  /** Path to which the copy is written. */
  out: string;
  manner: SerializedDeidentifyOptions;
}
