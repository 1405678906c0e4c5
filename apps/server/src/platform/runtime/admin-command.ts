import { parseArgs } from "node:util";
import type pg from "pg";
import { StartError } from "./config.ts";
import type { Config } from "./config.ts";
import type { Database } from "../database/database.ts";

/** One option of a command: with `value` it takes an argument of that kind, without it is a switch. */
interface AdminOption {
  value?: string;
  required?: true;
  help: string;
}
type AdminOptions = Readonly<Record<string, AdminOption>>;
type GivenOptions<O extends AdminOptions> = {
  readonly [K in keyof O]: O[K] extends { value: string }
    ? O[K] extends { required: true }
      ? string
      : string | undefined
    : boolean;
};

/** The services with which a command works, whether the server runs or not. */
export interface AdminServices {
  config: Config;
  database: Database;
  print: (line: string) => void;
  /** Asks twice at the terminal, without an echo. */
  promptPassword: () => Promise<string>;
}

/** The surroundings of a command that prepares the database itself: no services, and a connection only if it asks for one. */
export interface MaintenanceServices extends Pick<AdminServices, "config" | "print"> {
  /** Starts the embedded database if it does not run, and stops it afterwards. */
  withConnection: <T>(work: (connection: pg.PoolConfig) => Promise<T>) => Promise<T>;
}

interface CommandHelp<O extends AdminOptions> {
  name: string;
  summary: string;
  options: O;
}

/**
 * One verb of `node scripts/app.mjs admin`. Help, documentation and the check of the arguments follow from this row.
 * `run` works on a database of this version, `maintain` also on one of an earlier version. Both return the exit code: 0
 * for done, 1 for a result that needs attention.
 */
export type AdminCommand = CommandHelp<AdminOptions> &
  (
    | { run: (given: never, services: AdminServices) => Promise<number> }
    | { maintain: (given: never, services: MaintenanceServices) => Promise<number> }
  );

/** Declares a command, with the types of its arguments. */
export const adminCommand = <const O extends AdminOptions>(
  command: CommandHelp<O> & { run: (given: GivenOptions<O>, services: AdminServices) => Promise<number> },
): AdminCommand => command;

/** Declares a command that prepares the database. */
export const maintenanceCommand = <const O extends AdminOptions>(
  command: CommandHelp<O> & { maintain: (given: GivenOptions<O>, services: MaintenanceServices) => Promise<number> },
): AdminCommand => command;

/** Throws one sentence for arguments that the command does not know or lacks. */
export function parseOptions({ name, options }: AdminCommand, args: readonly string[]): never {
  const wanted = `Wanted: admin ${describeUsage(name, options)}`;
  const given = readArguments(options, args, wanted);
  const missing = Object.keys(options).find((key) => options[key]!.required && !given[key]);
  if (missing) throw new StartError(`--${missing} is missing. ${wanted}`);
  const empty = Object.keys(given).find((key) => given[key] === "");
  if (empty) throw new StartError(`--${empty} is empty. ${wanted}`);
  return { ...switchesOff(options), ...given } as never;
}

function readArguments(options: AdminOptions, args: readonly string[], wanted: string) {
  const types = Object.fromEntries(
    Object.entries(options).map(([key, { value }]) => [key, { type: value ? "string" : "boolean" } as const]),
  );
  try {
    return parseArgs({ args: [...args], options: types, strict: true, allowPositionals: false }).values;
  } catch (error) {
    // The library's message continues with advice about its own syntax.
    const [problem = ""] = (error as Error).message.split(/\.\s|\n/);
    throw new StartError(`${problem.replace(/\.$/, "")}. ${wanted}`);
  }
}

const switchesOff = (options: AdminOptions) =>
  Object.fromEntries(Object.entries(options).flatMap(([key, { value }]) => (value ? [] : [[key, false]])));

/** The help of all commands; the operator's documentation contains the same text. */
export function describeCommands(commands: readonly AdminCommand[]): string {
  const blocks = commands.map(({ name, summary, options }) =>
    [
      describeUsage(name, options),
      `    ${summary}`,
      ...Object.entries(options).map(([key, option]) => `    ${formatOption(key, option).padEnd(24)} ${option.help}`),
    ].join("\n"),
  );
  return blocks.join("\n\n");
}

const describeUsage = (name: string, options: AdminOptions): string =>
  [
    name,
    ...Object.entries(options).map(([key, option]) =>
      option.required ? formatOption(key, option) : `[${formatOption(key, option)}]`,
    ),
  ].join(" ");

const formatOption = (key: string, { value }: AdminOption): string => (value ? `--${key} ${value}` : `--${key}`);

/** Returns the lines of a table whose columns are as wide as their widest cell. */
export function formatTable(table: readonly (readonly string[])[]): string[] {
  // Names come from users, and a terminal obeys control characters.
  const rows = table.map((row) => row.map((cell) => cell.replace(/\p{C}/gu, "?")));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** Returns a whole number within limits; throws one sentence for anything else. */
export function readWholeNumber(name: string, text: string, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= most)) throw new StartError(`--${name} must be a whole number from 0 to ${most}.`);
  return value;
}
