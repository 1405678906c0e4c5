/** A setting that was given, before it is read. */
type GivenSettings = Record<string, string | undefined>;

/** Lists the settings that exclude each other, and those that lack another one; also if some are invalid by themselves. */
export const findConflicts = (given: GivenSettings): string[] => [
  ...findMissingSettings(given),
  ...findContradictions(given),
];

const findContradictions = (given: GivenSettings): string[] => [
  ...findArchiveContradictions(given),
  ...findDownloadContradictions(given),
];

/** Browsers that are sent to the bucket must reach it as safely as Arcada, and must not send Arcada's cookies there. */
function findDownloadContradictions(given: GivenSettings): string[] {
  const { S3_DIRECT_DOWNLOADS: isOn, PUBLIC_URL: own, S3_PUBLIC_ENDPOINT, S3_ENDPOINT } = given;
  const bucket = S3_PUBLIC_ENDPOINT ?? S3_ENDPOINT;
  if (!["true", "1", "on"].includes(isOn ?? "") || !own || !bucket || !URL.canParse(own) || !URL.canParse(bucket))
    return [];
  const [ours, theirs] = [new URL(own), new URL(bucket)];
  return [
    ...(ours.protocol === "https:" && theirs.protocol !== "https:"
      ? ["S3_PUBLIC_ENDPOINT: must be https as PUBLIC_URL is, beside S3_DIRECT_DOWNLOADS"]
      : []),
    ...(ours.hostname === theirs.hostname
      ? [
          "S3_PUBLIC_ENDPOINT: must have another host name than PUBLIC_URL, because a host's cookies go to all its ports",
        ]
      : []),
  ];
}

/** The server of DATABASE_URL is set up by those who run it, and so is its archive. */
const findArchiveContradictions = (given: GivenSettings): string[] =>
  Number(given["BACKUP_WAL_SECONDS"]) > 0
    ? [
        ...(given["BACKUP_DIR"] ? [] : ["BACKUP_DIR: is needed beside BACKUP_WAL_SECONDS"]),
        ...(given["DATABASE_URL"] ? ["BACKUP_WAL_SECONDS: is for the embedded database, without DATABASE_URL"] : []),
      ]
    : [];

/**
 * Some settings require others: this lists the missing ones. It runs even if other settings are invalid, so that all
 * problems are reported at once.
 */
const findMissingSettings = (given: GivenSettings): string[] =>
  dependentSettings.flatMap(({ one, others }) =>
    given[one] ? others.filter((name) => !given[name]).map((name) => `${name}: is needed beside ${one}`) : [],
  );
const dependentSettings = [
  { one: "DATABASE_DIRECT_URL", others: ["DATABASE_URL"] },
  { one: "DATABASE_READ_URL", others: ["DATABASE_URL"] },
  { one: "S3_ENDPOINT", others: ["S3_BUCKET", "S3_ACCESS_KEY", "S3_SECRET_KEY"] },
  { one: "S3_PUBLIC_ENDPOINT", others: ["S3_ENDPOINT"] },
  { one: "SMS_TOKEN", others: ["SMS_URL"] },
  { one: "SMS_USER", others: ["SMS_TOKEN"] },
  { one: "DICOM_TLS_CERT", others: ["DICOM_TLS_KEY"] },
  { one: "DICOM_TLS_KEY", others: ["DICOM_TLS_CERT"] },
  { one: "DICOM_TLS_CA", others: ["DICOM_TLS_CERT"] },
  { one: "DICOM_TLS_NAMES", others: ["DICOM_TLS_CA"] },
  { one: "HL7_TLS_CERT", others: ["HL7_TLS_KEY"] },
  { one: "HL7_TLS_KEY", others: ["HL7_TLS_CERT"] },
  { one: "HL7_TLS_CA", others: ["HL7_TLS_CERT"] },
  { one: "HL7_TLS_NAMES", others: ["HL7_TLS_CA"] },
] as const;
