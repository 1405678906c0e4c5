import type { DataSet } from "dicom-parser";
import type { DicomItem } from "./dicom-item.ts";

/** An open DICOM file; values are read on demand. */
export interface DicomFile extends DicomItem {
  readonly transferSyntax: string;
  /** All bytes; after a missing preamble these are a copy with one put before them. */
  readonly bytes: Uint8Array;
  readonly dataSet: DataSet;
}
