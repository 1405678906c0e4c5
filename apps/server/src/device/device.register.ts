import { randomBytes } from "node:crypto";
import type { Output, Parsed } from "@arcada/contract/kernel/call";
import { deviceCalls, lineProblems } from "@arcada/contract/device/device.calls";
import { deviceRules } from "@arcada/contract/device/device.rules";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { notifyClients } from "../platform/events/events.ts";
import { keyedHash, newId } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { secret } from "../platform/runtime/services.ts";
import { codeOf, plainCode } from "./device.ts";
import { insertDevices, knownAmong, serialKey } from "./device.store.ts";
import type { NewDevice } from "./device.store.ts";

type Wanted = Parsed<typeof deviceCalls.register>;
type ListAnswer = Output<typeof deviceCalls.registerList>;
type Problem = ListAnswer["problems"][number];

export const hashOf = (device: string, code: string): string =>
  keyedHash(secret(), "device code", device, plainCode(code));
export const newCode = (): string => codeOf(randomBytes(deviceRules.codeLetters));

/** E1: the codes are returned only here, the database stores their hashes. */
export async function register(
  { db, asker }: Pick<AuthenticatedContext, "db" | "asker">,
  wanted: readonly Wanted[],
): Promise<ListAnswer["made"]> {
  // Lists show the newest first; descending ids keep the order of the imported lines there.
  const ids = wanted.map(() => newId()).toSorted((one, other) => (one < other ? 1 : -1));
  const made = wanted.map((one, at) => ({ ...one, id: ids[at]!, activationCode: newCode() }));
  const rows = made.map(({ id, product, serialNumber, model, firmware, activationCode }): NewDevice => ({
    id,
    product,
    serialNumber,
    model,
    firmware: firmware || null,
    codeHash: hashOf(id, activationCode),
  }));
  if ((await insertDevices(db, asker.uid, rows)) < made.length) refuse("deviceKnown", { serialNumber: "deviceKnown" });
  if (made.length > 0) await notifyClients(db, { service: true }, "device", made[0]!.id);
  return made;
}

/** All lines or none. */
export async function registerList(
  context: Pick<AuthenticatedContext, "db" | "asker">,
  text: string,
): Promise<ListAnswer> {
  const lines = linesOf(text);
  if (lines.length === 0 || lines.length > deviceRules.listMost) refuse("badInput", { text: "invalid" });
  const read = lines.map(({ line, cells }) => ({ line, ...wantedOf(cells) }));
  const problems: Problem[] = read.flatMap(({ line, problem, value }) => (problem ? [{ line, problem, value }] : []));
  const whole = read.flatMap(({ line, wanted }) => (wanted ? [{ line, wanted }] : []));
  const known = await knownAmong(
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
    made: await register(
      context,
      whole.map(({ wanted }) => wanted),
    ),
  };
}

interface Line {
  line: number;
  cells: string[];
}
const heading = /^(serial|s\/n|sn$|序列号)/i;
/** Returns the lines that are not empty, without the heading. */
const linesOf = (text: string): Line[] =>
  text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((one, at) => ({ line: at + 1, cells: cellsOf(one) }))
    .filter(({ line, cells }) => cells.some((cell) => cell !== "") && !(line === 1 && heading.test(cells[0]!)));

/** Splits a line at commas, semicolons or tabs; a quoted cell may contain them. */
const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|[,;\t])(?:[^\S\t]*"((?:[^"]|"")*)"[^\S\t]*|([^,;\t]*))/g)].map(([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? "").trim(),
  );

const columns = ["serialNumber", "product", "model", "firmware"] as const;
interface Read {
  wanted: Wanted | null;
  problem: Problem["problem"] | null;
  value: string;
}
function wantedOf(cells: string[]): Read {
  if (cells.length < 3 || cells.slice(columns.length).some((cell) => cell !== ""))
    return { wanted: null, problem: "columns", value: String(cells.length) };
  const given = Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ""]));
  const parsed = deviceCalls.register.input.safeParse(given);
  if (parsed.success) return { wanted: parsed.data, problem: null, value: "" };
  const at = parsed.error.issues[0]!.path[0] as (typeof columns)[number];
  return { wanted: null, problem: lineProblems.find((one) => one === at) ?? "columns", value: given[at] ?? "" };
}
