import path from "node:path";
import { z } from "zod";
import { accountRules } from "@arcada/contract/account/account.rules";
import { capacityRules } from "@arcada/contract/capacity/capacity.rules";
import { defaultDataDir, MissingHomeError } from "./data-folder.ts";
import {
  applicationTitle,
  dicomCallers,
  dicomTitles,
  dicomTitleValues,
  hl7Senders,
  callerCertificates,
} from "./dicom-callers.ts";
import { isLoopback } from "../http/loopback-host.ts";
import { loopback, providers } from "./identity-provider-settings.ts";
import { readSecretFiles } from "./secret-files.ts";
import { findConflicts } from "./settings/setting-conflicts.ts";
import {
  booleanSetting,
  databaseAddress,
  networks,
  networkTexts,
  origins,
  parseList,
  publicKeys,
  securityContacts,
  wholeNumber,
} from "./settings/setting-types.ts";
import { smsSettings } from "./sms-settings.ts";

/** All settings from the environment. An empty value counts as not set. */
const settings = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  PUBLIC_URL: z.url().optional(),
  /** Not set: a folder outside the checkout. */
  DATA_DIR: z.string().optional(),
  DATABASE_URL: databaseAddress,
  /** Set: DATABASE_URL leads to a pooler that gives every transaction a session, and this to PostgreSQL itself. */
  DATABASE_DIRECT_URL: databaseAddress,
  /** A streaming replica, for reads that tolerate its delay. */
  DATABASE_READ_URL: databaseAddress,
  /** The seconds that the replica may be behind; beyond them the primary answers. */
  DATABASE_READ_DELAY: z.coerce.number().int().min(2).max(3600).default(10),
  DATABASE_POOL: wholeNumber(10),
  ARCADA_ROLE: z.enum(["all", "web", "worker", "dicom", "hl7"]).default("all"),
  /**
   * Not set: on, unless another setting indicates production. `accounts`: only the demonstration's accounts, without
   * any data.
   */
  ARCADA_DEMO: z.literal("accounts").or(booleanSetting(null)),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("warn"),
  SECRET_KEY: z.string().min(32).optional(),
  PASSWORD_MIN_LENGTH: z.coerce.number().int().min(accountRules.passwordMin).max(64).default(accountRules.passwordMin),
  PASSWORD_LIST: z.enum(["strict", "common", "off"]).default("common"),
  LOGIN_STEP_UP: booleanSetting(true),
  /** Minutes of idleness after which a browser locks the session; 0: never. */
  IDLE_MINUTES: z.coerce.number().nonnegative().max(1440).default(30),
  /** The base of an organisation that the operator has not changed. */
  FREE_STORAGE_GB: wholeNumber(capacityRules.freeGigabytes).pipe(z.number().max(capacityRules.maxGigabytes)),
  FREE_ANALYSES: wholeNumber(capacityRules.freeAnalyses).pipe(z.number().max(capacityRules.maxAnalyses)),
  /** An entry of the audit log is kept for at least this many years, its calendar year whole; 0: for ever. */
  AUDIT_YEARS: wholeNumber(0).pipe(z.number().max(100)),
  OIDC_PROVIDERS: providers,
  /** A folder, or s3://bucket/prefix. Not set: there is no nightly backup. */
  BACKUP_DIR: z.string().optional(),
  /** Not set: those of the stored files, S3_…, apply to a bucket of backups too. */
  BACKUP_S3_ENDPOINT: z.url().optional(),
  BACKUP_S3_REGION: z.string().optional(),
  BACKUP_S3_ACCESS_KEY: z.string().optional(),
  BACKUP_S3_SECRET_KEY: z.string().optional(),
  BACKUP_KEY_FILE: z.string().optional(),
  BACKUP_KEEP: z.coerce.number().int().positive().default(14),
  /** The days between two verifications of the nightly backup; 0: none. */
  BACKUP_VERIFY_DAYS: wholeNumber(7),
  /**
   * The seconds after which what was written is in the archive of the WAL at the latest; 0: there is no archive, and a
   * restore leads to the moment of a backup only.
   */
  BACKUP_WAL_SECONDS: wholeNumber(0).pipe(z.number().max(86_400)),
  /** In UTC. */
  BACKUP_HOUR: z.coerce.number().int().min(0).max(23).default(2),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().default("Arcada <no-reply@localhost>"),
  ...smsSettings,
  S3_ENDPOINT: z.url().optional(),
  S3_REGION: z.string().default("us-east-1"),
  S3_BUCKET: z.string().optional(),
  S3_ACCESS_KEY: z.string().optional(),
  S3_SECRET_KEY: z.string().optional(),
  /** Large originals are downloaded from the bucket itself, by addresses that last for a minute. */
  S3_DIRECT_DOWNLOADS: booleanSetting(false),
  /** The address of the bucket's server for browsers. Not set: S3_ENDPOINT. */
  S3_PUBLIC_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Not set: nobody can send by DICOM itself, except to the role `dicom`. */
  DICOM_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  DICOM_HOST: z.string().optional(),
  DICOM_AE_TITLE: applicationTitle.default("ARCADA"),
  DICOM_CALLING_AES: dicomCallers,
  /** Those of them that may also search and retrieve the studies of their clinic. */
  DICOM_QUERY_AES: dicomTitles,
  /** Those of them that receive the work list of their clinic, each with its modality: CBCT1=CT,PANO=PX. */
  DICOM_WORKLIST_AES: dicomTitleValues,
  /** Private networks in which studies may be sent to a PACS. Without it, only addresses on the internet. */
  DICOM_NETWORKS: networks,
  /**
   * Files in PEM. With them the port speaks only TLS; if an authority is set too, devices must present a certificate of
   * it.
   */
  DICOM_TLS_CERT: z.string().optional(),
  DICOM_TLS_KEY: z.string().optional(),
  DICOM_TLS_CA: z.string().optional(),
  /** The name that the certificate of an application must have: CBCT1=cbct1.clinic.example. */
  DICOM_TLS_NAMES: dicomTitleValues,
  /** Not set: nobody can send HL7 by MLLP, except to the role `hl7`. */
  HL7_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  HL7_HOST: z.string().optional(),
  /** The systems that may send, with their networks and the organisation to which their messages belong. */
  HL7_SENDERS: hl7Senders,
  /** Private networks in which reports may be sent by HL7. Without it, only addresses on the internet. */
  HL7_NETWORKS: networks,
  /** Files in PEM, as for DICOM. */
  HL7_TLS_CERT: z.string().optional(),
  HL7_TLS_KEY: z.string().optional(),
  HL7_TLS_CA: z.string().optional(),
  /** The name that the certificate of a system must have: KIS|HOSPITAL=kis.hospital.example. */
  HL7_TLS_NAMES: callerCertificates,
  /** Pages of other origins that may use DICOMweb with a token of their own. */
  DICOMWEB_ORIGINS: origins,
  /** Private networks to which webhooks may be sent, also without TLS. All others must be on the internet, by https. */
  WEBHOOK_NETWORKS: networks,
  /** New images are measured automatically. */
  ANALYSIS_AUTO: booleanSetting(true),
  /** The trusted signers of engine packs: name=public Ed25519 key in base64, several with commas. */
  ENGINE_KEYS: publicKeys,
  /** Unsigned packs may be installed and run. Not set: only in the demonstration, if no key is named. */
  ENGINE_UNSIGNED: booleanSetting(null),
  /** The folder of the packs that come with the product. Not set: `packs` of the installation. */
  ENGINE_FOLDER: z.string().optional(),
  /** The trusted signers of trials of engine packs, in the same form. */
  TRIAL_KEYS: publicKeys,
  /**
   * Model servers that may be called: host or host:port, several with commas. Those in ENGINE_NETWORKS, as 10.1.0.0/16,
   * also at private addresses and without TLS.
   */
  ENGINE_HOSTS: z.string().default("").transform(parseList),
  ENGINE_NETWORKS: networkTexts,
  /** The trusted signers of upgrade packages, in the same form. */
  PACKAGE_KEYS: publicKeys,
  METRICS_TOKEN: z.string().min(16).optional(),
  /** Not set: liveness, readiness and metrics are served on PORT alone, and not at all by a process without it. */
  HEALTH_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  HEALTH_HOST: z.string().default("127.0.0.1"),
  /** Not set: nothing is traced. The names are those of the OpenTelemetry specification. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Read by the exporter itself. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_SERVICE_NAME: z.string().default("arcada"),
  /** The share of traces that are recorded, unless a trusted proxy has decided already. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(0.1),
  TRUST_PROXY: booleanSetting(false),
  /** Requests that one address may make in a second, on average; 0: no limit. */
  RATE_LIMIT: wholeNumber(300),
  /** The contacts of /.well-known/security.txt, for reports of weaknesses. */
  SECURITY_CONTACT: securityContacts,
  SECURITY_POLICY: z.url({ protocol: /^https$/ }).optional(),
  HOTLINE: z.string().optional(),
  SERVICE_HOURS: z
    .string()
    .regex(/^\d{1,2}:\d{2}\s*[-–]\s*\d{1,2}:\d{2}$/, "must be like 9:00-20:00")
    .default("9:00-20:00")
    .transform((hours) => {
      const [from = "", to = ""] = hours.split(/[-–]/).map((hour) => hour.trim());
      return { from, to };
    }),
  /** One line for all users on the sign-in page. */
  ANNOUNCEMENT: z.string().max(500).optional(),
  RECRUITMENT_TEXT: z.string().max(200).optional(),
  RECRUITMENT_URL: z.url({ protocol: /^https?$/ }).optional(),
  COMPANY_NAME: z.string().default("Arcada"),
  COMPANY_SITE: z.url().optional(),
  COMPANY_ADDRESS: z.string().optional(),
});
export const settingNames: readonly string[] = Object.keys(settings.shape);

/**
 * Returns the settings that indicate that other people than this machine's users use the server. The passwords of the
 * demonstration are public and its outbox shows every code, so with one of these settings it is on only if it is set
 * explicitly.
 */
const productionIndicators = (value: Settings, environment: NodeJS.ProcessEnv): string[] => [
  ...(isLoopback(value.HOST) ? [] : ["HOST"]),
  ...(value.PUBLIC_URL === undefined || loopback.test(value.PUBLIC_URL) ? [] : ["PUBLIC_URL"]),
  ...(value.TRUST_PROXY ? ["TRUST_PROXY"] : []),
  ...(["SMTP_URL", "SMS_URL", "DATABASE_URL", "S3_ENDPOINT"] as const).filter((name) => value[name] !== undefined),
  ...(environment.NODE_ENV === "production" ? ["NODE_ENV"] : []),
];

function completeConfig(value: Settings, environment: NodeJS.ProcessEnv): Config {
  const requested = value.ARCADA_DEMO === "accounts" ? true : value.ARCADA_DEMO;
  const demo = requested ?? productionIndicators(value, environment).length === 0;
  return {
    ...value,
    isPublicUrlFixed: value.PUBLIC_URL !== undefined,
    dataDir: value.DATA_DIR === undefined ? findDefaultDataDir(environment) : path.resolve(value.DATA_DIR),
    demoCases: value.ARCADA_DEMO !== "accounts",
    ARCADA_DEMO: demo,
    demoByDefault: demo && requested === null,
  };
}

function findDefaultDataDir(environment: NodeJS.ProcessEnv): string {
  try {
    return defaultDataDir(environment);
  } catch (error) {
    throw error instanceof MissingHomeError ? new StartError(error.message) : error;
  }
}

type Settings = z.output<typeof settings>;

export interface Config extends Omit<Settings, "ARCADA_DEMO"> {
  dataDir: string;
  /** False: `PUBLIC_URL` is what the operator stored, or undefined, and may change while the server runs. */
  isPublicUrlFixed: boolean;
  ARCADA_DEMO: boolean;
  /** True if the demonstration was not set explicitly: then it answers only this machine. */
  demoByDefault: boolean;
  demoCases: boolean;
}

/** Reads the environment. Throws one StartError that lists every fault. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const direct = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const { secrets, problems } = readSecretFiles(direct);
  const given = { ...direct, ...secrets };
  const parsed = settings.safeParse(given);
  const lines = [
    ...problems.map((problem) => `  ${problem}`),
    ...(parsed.error?.issues ?? []).map((issue) => `  ${issue.path.join(".")}: ${issue.message}`),
    ...findConflicts(given).map((line) => `  ${line}`),
  ];
  if (parsed.success && lines.length === 0) return completeConfig(parsed.data, environment);
  throw new StartError(`The configuration has ${lines.length} mistake(s):\n${lines.join("\n")}`);
}

export const runsJobs = ({ ARCADA_ROLE }: Config): boolean => ARCADA_ROLE === "all" || ARCADA_ROLE === "worker";
export const servesRequests = ({ ARCADA_ROLE }: Config): boolean => ARCADA_ROLE === "all" || ARCADA_ROLE === "web";
const defaultDicomPort = 11_112;
/** Null: this process does not listen for devices. */
export const dicomPort = ({ ARCADA_ROLE, DICOM_PORT }: Config): number | null =>
  ARCADA_ROLE === "dicom"
    ? (DICOM_PORT ?? defaultDicomPort)
    : ARCADA_ROLE === "all" && DICOM_PORT !== undefined
      ? DICOM_PORT
      : null;

/** The port that IANA has registered for HL7. */
const defaultHl7Port = 2575;
/** Null: this process does not listen for HL7. */
export const hl7Port = ({ ARCADA_ROLE, HL7_PORT }: Config): number | null =>
  ARCADA_ROLE === "hl7"
    ? (HL7_PORT ?? defaultHl7Port)
    : ARCADA_ROLE === "all" && HL7_PORT !== undefined
      ? HL7_PORT
      : null;

/**
 * The server cannot start, for a reason that the person who starts it can fix; its message is the whole explanation.
 */
export class StartError extends Error {
  override name = "StartError";
}
