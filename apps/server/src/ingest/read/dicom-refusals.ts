import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { DicomReason } from "@arcada/imaging/dicom/dicom-error";

export const dicomRefusals: Record<DicomReason, RefusalName> = {
  notDicom: "fileNotDicom",
  truncated: "fileTruncated",
  noPixels: "fileNoPicture",
  unsupported: "fileUnsupported",
  bomb: "fileBomb",
};
