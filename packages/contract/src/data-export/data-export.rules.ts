/** Limits of archives, both of those that leave and of those that arrive. */
export const dataExportRules = {
  /** Retention of a finished archive, in days. */
  days: 7,
  /** Retention of the files of a FHIR export. */
  fhirDays: 1,
  formatVersion: 1,
  archiveBytes: 2_000_000_000_000,
  entries: 2_000_000,
  /** A row as one line of JSON. */
  rowBytes: 16_000_000,
  manifestBytes: 512_000_000,
  /** Unpacked against packed, counted from this many bytes on. */
  ratio: 200,
  ratioFrom: 10_000_000,
  /** The size of one chunk of a web upload, in bytes. */
  chunkBytes: 8_000_000,
} as const;
