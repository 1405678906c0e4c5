export type DicomReason = "notDicom" | "truncated" | "noPixels" | "unsupported" | "bomb";

/** The reason for refusing bytes: `reason` is for programs, `message` is an English detail for logs. */
export class DicomError extends Error {
  readonly reason: DicomReason;

  constructor(reason: DicomReason, detail: string) {
    super(detail);
    this.name = "DicomError";
    this.reason = reason;
  }
}
