import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export interface TableAccess {
  /** The folder under apps/server/src. */
  folder: string;
  table: string;
  kind: "read" | "write";
  /** Relative to apps/server/src. */
  file: string;
}

const source = path.join(import.meta.dirname, "../apps/server/src");

// Query builder calls, and keywords of raw SQL. A table whose name is a value (`sql.table(name)`) is not found.
const writePatterns = [
  /(?:insertInto|updateTable|deleteFrom)\(\s*"(\w+)/g,
  /\b(?:insert into|update|delete from|merge into)\s+(\w+)/g,
];
const readPatterns = [
  /(?:selectFrom|[jJ]oin)\(\s*"(\w+)/g,
  /\b(?:from|join|using)\s+(\w+)/g,
  /\bfrom\s+\w+(?: (?:as )?\w+)?, (\w+)/g,
];

/** Returns the names of all tables, from the row types. */
export function listTables(): string[] {
  const [, body = ""] = readFileSync(path.join(source, "tables/schema.generated.ts"), "utf8").split(
    "export interface Tables {",
  );
  return [...body.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name!);
}

/** Returns which folder of the server names which table in its queries; tests are not searched. */
export function listTableAccess(): TableAccess[] {
  const tables = new Set(listTables());
  return listSources().flatMap((file) => {
    const code = withoutComments(readFileSync(path.join(source, file), "utf8"));
    const folder = file.split(path.sep)[0]!;
    const find = (kind: TableAccess["kind"], patterns: RegExp[]) =>
      [...new Set(patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name]) => name!)))]
        .filter((table) => tables.has(table))
        .map((table) => ({ folder, table, kind, file }));
    return [...find("write", writePatterns), ...find("read", readPatterns)];
  });
}

/** Returns the files of write functions, relative to apps/server/src, with the other slices that call them. */
export function listWriteCallers(): { file: string; callers: string[] }[] {
  const links = listSources().flatMap((file) =>
    [...readFileSync(path.join(source, file), "utf8").matchAll(/from "(\.[^"]+\.writes\.ts)"/g)].map(([, to]) => ({
      folder: file.split(path.sep)[0]!,
      to: path.join(path.dirname(file), to!),
    })),
  );
  return listSources()
    .filter((file) => file.endsWith(".writes.ts"))
    .map((file) => {
      const folders = links.filter(({ to }) => to === file).map(({ folder }) => folder);
      return { file, callers: [...new Set(folders)].filter((folder) => folder !== file.split(path.sep)[0]) };
    });
}

/** Returns the files of the server without tests and row types, relative to its source folder. */
const listSources = (): string[] =>
  readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("tables"))
    .toSorted();

const withoutComments = (code: string): string => code.replace(/\/\*[^]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
