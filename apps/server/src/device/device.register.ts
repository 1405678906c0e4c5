import { randomBytes } from "node:crypto";
import type { Output, Parsed } from "@arcada/contract/kernel/call";
import { deviceCalls, importLineProblems } from "@arcada/contract/device/device.calls";
import { deviceRules } from "@arcada/contract/device/device.rules";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { notifyClients } from "../platform/events/events.ts";
import { keyedHash, newId } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import { secret } from "../platform/runtime/services.ts";
import { insertDevices, findRegistered, serialKey } from "./device.store.ts";
import type { NewDevice } from "./device.store.ts";

type NewDeviceInput = Parsed<typeof deviceCalls.register>;
type ImportResult = Output<typeof deviceCalls.registerList>;
type LineProblem = ImportResult["problems"][number];

export const hashActivationCode = (device: string, code: string): string =>
  keyedHash(secret(), "device code", device, normaliseCode(code));
export const createActivationCode = (): string => formatCode(randomBytes(deviceRules.codeLetters));

/** E1: the codes are returned only here, the database stores their hashes. */
export async function registerDevices(
  { db, principal }: Pick<AuthenticatedContext, "db" | "principal">,
  wanted: readonly NewDeviceInput[],
): Promise<ImportResult["made"]> {
  // Lists show the newest first; descending ids keep the order of the imported lines there.
  const ids = wanted.map(() => newId()).toSorted((one, other) => (one < other ? 1 : -1));
  const made = wanted.map((one, at) => ({ ...one, id: ids[at]!, activationCode: createActivationCode() }));
  const rows = made.map(({ id, product, serialNumber, model, firmware, activationCode }): NewDevice => ({
    id,
    product,
    serialNumber,
    model,
    firmware: firmware || null,
    codeHash: hashActivationCode(id, activationCode),
  }));
  if ((await insertDevices(db, principal.uid, rows)) < made.length)
    refuse("deviceKnown", { serialNumber: "deviceKnown" });
  if (made.length > 0) await notifyClients(db, { service: true }, "device", made[0]!.id);
  return made;
}

/** All lines or none. */
export async function importDevices(
  context: Pick<AuthenticatedContext, "db" | "principal">,
  text: string,
): Promise<ImportResult> {
  const lines = parseLines(text);
  if (lines.length === 0 || lines.length > deviceRules.maxListSize) refuse("badInput", { text: "invalid" });
  const read = lines.map(({ line, cells }) => ({ line, ...parseDevice(cells) }));
  const problems: LineProblem[] = read.flatMap(({ line, problem, value }) =>
    problem ? [{ line, problem, value }] : [],
  );
  const whole = read.flatMap(({ line, wanted }) => (wanted ? [{ line, wanted }] : []));
  const known = await findRegistered(
    context.db,
    whole.map(({ wanted }) => wanted),
  );
  const seen = new Set<string>();
  for (const { line, wanted } of whole) {
    const key = serialKey(wanted.product, wanted.serialNumber);
    if (seen.has(key)) problems.push({ line, problem: "twice", value: wanted.serialNumber });
    else if (known.has(key)) problems.push({ line, problem: "known", value: wanted.serialNumber });
    seen.add(key);
  }
  if (problems.length > 0) return { problems: problems.toSorted((one, other) => one.line - other.line), made: [] };
  return {
    problems,
    made: await registerDevices(
      context,
      whole.map(({ wanted }) => wanted),
    ),
  };
}

interface ImportLine {
  line: number;
  cells: string[];
}
const heading = /^(serial|s\/n|sn$|序列号)/i;
/** Returns the lines that are not empty, without the heading. */
const parseLines = (text: string): ImportLine[] =>
  text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((one, at) => ({ line: at + 1, cells: parseCells(one) }))
    .filter(({ line, cells }) => cells.some((cell) => cell !== "") && !(line === 1 && heading.test(cells[0]!)));

/** Splits a line at commas, semicolons or tabs; a quoted cell may contain them. */
const parseCells = (line: string): string[] =>
  [...line.matchAll(/(?:^|[,;\t])(?:[^\S\t]*"((?:[^"]|"")*)"[^\S\t]*|([^,;\t]*))/g)].map(([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? "").trim(),
  );

const columns = ["serialNumber", "product", "model", "firmware"] as const;
interface ParsedLine {
  wanted: NewDeviceInput | null;
  problem: LineProblem["problem"] | null;
  value: string;
}
function parseDevice(cells: string[]): ParsedLine {
  if (cells.length < 3 || cells.slice(columns.length).some((cell) => cell !== ""))
    return { wanted: null, problem: "columns", value: String(cells.length) };
  const given = Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ""]));
  const parsed = deviceCalls.register.input.safeParse(given);
  if (parsed.success) return { wanted: parsed.data, problem: null, value: "" };
  const at = parsed.error.issues[0]!.path[0] as (typeof columns)[number];
  return { wanted: null, problem: importLineProblems.find((one) => one === at) ?? "columns", value: given[at] ?? "" };
}

// Crockford's alphabet: no letter that is confused with another when it is read aloud or copied from paper.
const codeAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** Makes a code from random bytes; 256 is a multiple of the 32 letters. */
const formatCode = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, deviceRules.codeLetters), (byte) => codeAlphabet[byte % codeAlphabet.length])
    .join("")
    .replaceAll(/(.{4})(?=.)/g, "$1-");
/** Normalizes a typed code to the form in which it was made. */
const normaliseCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
