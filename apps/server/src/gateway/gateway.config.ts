import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { StartError } from "../platform/runtime/config.ts";
import { loopback } from "../platform/runtime/identity-provider-settings.ts";
import { applicationTitle } from "../platform/runtime/dicom-callers.ts";
import { optionalNetworks, parseList } from "../platform/runtime/settings/setting-types.ts";
import { practiceSettings } from "./practice/practice-settings.ts";
import { watchedFolders } from "./watch/watched-folder.ts";
import { writableCharsets } from "@arcada/imaging/dicom/write/encode-text";

const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);
const modality = z.string().regex(/^[A-Z0-9]{2,16}$/, "must be a modality such as CT");
/** The AE titles that may send and search, each with the modality that it produces: TITLE=CT,TITLE=PX,TITLE. */
const callingTitles = z
  .string()
  .transform((text) => parseList(text).map((row) => row.split("=").map((part) => part.trim())))
  .pipe(
    z
      .array(z.tuple([applicationTitle], modality).refine((row) => row.length <= 2, "must be TITLE=modality"))
      .min(1, "names no device"),
  )
  .refine((rows) => new Set(rows.map(([title]) => title)).size === rows.length, "names one title twice")
  .transform((rows): ReadonlyMap<string, string | null> => new Map(rows.map(([title, made]) => [title, made ?? null])));

const fileText = z.string().transform((file, context) => {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    context.addIssue({ code: "custom", message: `cannot be read: ${(error as NodeJS.ErrnoException).code}` });
    return z.NEVER;
  }
});
// The key is sent in a header of every request.
const key = z.string().regex(/^[\w.~+/-]{20,200}=*$/, "is no device key");

/** All settings of a gateway, as environment variables. An empty value counts as not set. */
const settings = z.object({
  GATEWAY_CLOUD: z
    .url("must be the address of Arcada, such as https://arcada.example")
    .refine((url) => url.startsWith("https:") || loopback.test(url), "must be https"),
  GATEWAY_KEY: key.optional(),
  GATEWAY_KEY_FILE: fileText.pipe(key).optional(),
  /** A private certificate authority, as PEM. */
  GATEWAY_CA: fileText.refine((text) => text.includes("BEGIN CERTIFICATE"), "holds no certificate").optional(),
  GATEWAY_HOST: z.string().default("127.0.0.1"),
  GATEWAY_PORT: port(11_112),
  GATEWAY_AE_TITLE: applicationTitle.default("ARCADA"),
  /** Not set: no DICOM port is opened. */
  GATEWAY_CALLING_AES: callingTitles.optional(),
  /** Folders that scanners and image programs write into. */
  GATEWAY_WATCH: watchedFolders.optional(),
  /** Not set: no port for HL7 is opened. It listens at GATEWAY_HOST. */
  GATEWAY_HL7_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  /** The networks from which HL7 is taken; by default any that reaches the port. */
  GATEWAY_HL7_NETWORKS: optionalNetworks,
  /** A laboratory's agent: the folder from which its CAD program takes cases. Nothing else runs beside it. */
  GATEWAY_LAB_FOLDER: z
    .string()
    .transform((folder) => path.resolve(folder))
    .optional(),
  ...practiceSettings,
  /** Seconds for which a file must not change before it counts as complete. */
  GATEWAY_SETTLE_SECONDS: z.coerce.number().min(1).max(3600).default(30),
  GATEWAY_STATUS_PORT: port(11_180),
  /** Not set: the gateway serves neither liveness nor metrics. */
  GATEWAY_HEALTH_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  GATEWAY_HEALTH_HOST: z.string().default("127.0.0.1"),
  GATEWAY_DIR: z.string().default("gateway"),
  GATEWAY_DISK_MB: z.coerce.number().int().positive().default(20_000),
  /** Character set of names that are not ASCII, for a device that requests none. */
  GATEWAY_CHARACTER_SET: z.enum(writableCharsets).default("ISO_IR 192"),
  /** Maximum age of the work list while Arcada cannot be reached, in hours. */
  GATEWAY_OFFLINE_HOURS: z.coerce.number().min(0).max(72).default(12),
  /** From this size on, in MB, an object resumes where the connection broke, which costs three more requests. */
  GATEWAY_RESUME_MB: z.coerce.number().min(0.1).default(32),
  /** Hours between two looks for a signed package of this program, where it was installed as one; 0: never. */
  GATEWAY_UPDATE_HOURS: z.coerce.number().min(0).max(720).default(6),
  /** The longest pause between two attempts. */
  GATEWAY_PAUSE_SECONDS: z.coerce.number().min(0.1).max(600).default(60),
});
export const gatewaySettingNames: readonly string[] = Object.keys(settings.shape);
type Settings = z.output<typeof settings>;

export interface GatewayConfig extends Omit<Settings, "GATEWAY_KEY" | "GATEWAY_KEY_FILE"> {
  key: string;
  /** Absolute. */
  folder: string;
}

/** Reads the environment. Throws one StartError that lists everything that is wrong. */
export function readGatewayConfig(
  environment: NodeJS.ProcessEnv = process.env,
  options: { isCommand?: boolean } = {},
): GatewayConfig {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = settings.safeParse(given);
  const lines = (parsed.error?.issues ?? []).map(({ path: at, message }) => `  ${String(at[0])}: ${message}`);
  if ((given.GATEWAY_KEY === undefined) === (given.GATEWAY_KEY_FILE === undefined))
    lines.push("  GATEWAY_KEY: give either the device's key or, as GATEWAY_KEY_FILE, a file that holds it");
  const works = [
    given.GATEWAY_CALLING_AES ?? given.GATEWAY_WATCH ?? given.GATEWAY_GDT_FOLDER ?? given.GATEWAY_HL7_PORT,
    given.GATEWAY_LAB_FOLDER,
  ];
  // A practice program runs the gateway for one answer alone.
  if (!options.isCommand && works.every((work) => work === undefined))
    lines.push(
      "  GATEWAY_CALLING_AES: lacks: which devices may call, as TITLE=modality, several with commas; or folders as GATEWAY_WATCH or GATEWAY_GDT_FOLDER; or GATEWAY_HL7_PORT; or a laboratory's GATEWAY_LAB_FOLDER",
    );
  if (works.every((work) => work !== undefined))
    lines.push("  GATEWAY_LAB_FOLDER: a laboratory's key opens no devices and no scans: run a second gateway for them");
  const { GATEWAY_KEY, GATEWAY_KEY_FILE, ...rest } = parsed.data ?? ({} as Settings);
  const found = GATEWAY_KEY ?? GATEWAY_KEY_FILE;
  if (parsed.success && lines.length === 0 && found !== undefined)
    return { ...rest, key: found, folder: path.resolve(rest.GATEWAY_DIR) };
  throw new StartError(`The configuration has ${lines.length} mistake(s):\n${lines.join("\n")}`);
}
