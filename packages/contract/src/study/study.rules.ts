/** Kinds of images and models, in the order in which a patient's collection shows them. */
export const studyKinds = [
  "panorama",
  "lateralCeph",
  "dentalFilm",
  "xRay",
  "ct",
  "photo",
  "video",
  "model",
  "document",
] as const;
export type StudyKind = (typeof studyKinds)[number];
/**
 * Returns true for a kind that is neither a volume nor a scan, a video or a document: its images can be measured, traced
 * and compared side by side.
 */
export const isImageKind = (kind: StudyKind): boolean => kind !== "ct" && kind !== "model" && !isFixedKind(kind);

/**
 * PDFs and videos are recognised by their content alone: they can have no other kind, and no other file can be declared
 * one.
 */
export const isFixedKind = (kind: StudyKind): kind is "document" | "video" => kind === "document" || kind === "video";
/** The kinds among which a person may choose. */
export type ChosenKind = Exclude<StudyKind, "document" | "video">;
export const chosenKinds = studyKinds.filter((kind): kind is ChosenKind => !isFixedKind(kind));

/** The ways in. */
export const studyOrigins = ["upload", "stow", "dimse", "device"] as const;
export type StudyOrigin = (typeof studyOrigins)[number];

export const studyRules = {
  binDays: 30,
  maxInboxPageSize: 50,
  /** The studies of the inbox are counted up to this. */
  maxInboxCount: 1000,
  /**
   * Days for which a study whose files name another person waits in the record of the patient for whom it was uploaded;
   * then it moves to the inbox.
   */
  questionDays: 7,
  maxQuestions: 500,
  /** Studies whose guessed kinds one call confirms. */
  maxConfirmedKinds: 200,
  maxReasonLength: 200,
  /** Months after their last use for which files for viewers are kept. */
  convertedMonths: 3,
  /** Seconds that one hostile file may take to parse. */
  parseSeconds: 2,
  parseMegabytes: 512,
  zipEntries: 20_000,
  zipRatio: 200,
  /** The ratio counts only above this many bytes. */
  zipRatioFrom: 10_000_000,
  zipDepth: 1,
  zipBytes: 20_000_000_000,
  /** Pages of a TIFF. */
  maxPages: 100,
  /** Videos: cameras for the mouth write a minute in up to 100 MB. */
  videoBytes: 2_000_000_000,
  videoSeconds: 30 * 60,
  fileBytes: 20_000_000_000,
  /** Uploads that are incomplete or empty: a browser sends few at a time, a folder's files one by one. */
  openUploads: 200,
  openUploadsOfAll: 500,
  /** The longest lifetime of a file's address, in seconds. */
  linkSeconds: 300,
} as const;

/** Milliseconds of the processor for reading one file: a disk delivers 100 MB in a second at least. */
export const parseTimeoutMs = (bytes: number): number => studyRules.parseSeconds * 1000 + bytes / 100_000;

export const jobStates = ["waiting", "running", "done", "failed", "cancelled"] as const;
export const studyStates = ["converting", "ready", "unconverted", "failed"] as const;
export type StudyState = (typeof studyStates)[number];
