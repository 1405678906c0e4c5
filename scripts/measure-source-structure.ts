import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { relativeWord } from "../lint/plain-comments.js";
import { listTableAccess, listTables } from "./list-table-access.ts";

/** One figure about the structure of the source. `limit` is the value that has been reached: a test holds it. */
export interface Measure {
  title: string;
  value: number;
  limit: number;
  target: string;
}

const root = path.join(import.meta.dirname, "..");
const inRoot = (file: string): string => path.join(root, file);

interface SourceFile {
  name: string;
  code: string;
  lines: number;
  isTest: boolean;
  /** Names of imported files, those of types included. */
  imports: string[];
  nonNullAssertions: number;
  /** The type arguments of `sql<Row>` templates. */
  sqlRowTypes: string[];
  /** The types that it declares, by name; an interface has no text. */
  types: Map<string, string>;
  comments: { value: string; line: number; isLine: boolean }[];
}

const listFiles = (): string[] =>
  globSync(
    [
      "{apps,packages}/*/{src,exports}/**/*.{ts,tsx}",
      "{demo,bench,tests,lint}/**/*.{ts,tsx,js}",
      "scripts/**/*.{ts,mjs}",
    ],
    { cwd: root },
  )
    .filter((name) => !name.endsWith(".generated.ts"))
    .toSorted();

function readSource(name: string): SourceFile {
  const code = readFileSync(inRoot(name), "utf8");
  const { program, module, comments } = parseSync(name, code);
  let nonNullAssertions = 0;
  const sqlRowTypes: string[] = [];
  const types = new Map<string, string>();
  new Visitor({
    TSTypeAliasDeclaration: ({ id, typeAnnotation }) =>
      void types.set(id.name, code.slice(typeAnnotation.start, typeAnnotation.end)),
    TSInterfaceDeclaration: ({ id }) => void types.set(id.name, ""),
    TSNonNullExpression: () => void nonNullAssertions++,
    TaggedTemplateExpression({ tag, typeArguments }) {
      if (typeArguments && code.slice(tag.start, tag.end) === "sql")
        sqlRowTypes.push(code.slice(typeArguments.start + 1, typeArguments.end - 1).trim());
    },
  }).visit(program);
  const specifiers = [
    ...module.staticImports.map((one) => one.moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? "")),
  ];
  const starts = lineStarts(code);
  return {
    name,
    code,
    lines: starts.length,
    isTest: /\.test\.tsx?$/.test(name) || /^(tests|packages\/testing)\//.test(name),
    imports: [...new Set(specifiers.flatMap((one) => resolveImport(name, one) ?? []))],
    nonNullAssertions,
    sqlRowTypes,
    types,
    comments: comments.map(({ value, start, type }) => ({
      value,
      line: starts.findLastIndex((at) => at <= start),
      isLine: type === "Line",
    })),
  };
}

const lineStarts = (code: string): number[] => [0, ...[...code.matchAll(/\n/g)].map(({ index }) => index + 1)];

function resolveImport(from: string, specifier: string): string | undefined {
  const [, workspace, rest] = /^@arcada\/(\w+)\/(.+)$/.exec(specifier) ?? [];
  const target = workspace
    ? `packages/${workspace}/src/${rest}.ts`
    : specifier.startsWith(".")
      ? path.join(path.dirname(from), specifier)
      : null;
  return target && existsSync(inRoot(target)) ? target : undefined;
}

/** Returns the groups of files that import each other in a circle. */
export function findImportCircles(importsOf: ReadonlyMap<string, readonly string[]>): string[][] {
  // Tarjan's algorithm, with an explicit stack of calls: SIAM J. Comput. 1 (1972) 146.
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    lowest.set(file, index.get(file)!);
    stack.push(file);
    for (const next of importsOf.get(file) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!));
    }
    if (lowest.get(file) !== index.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) circles.push(circle);
  };
  for (const file of importsOf.keys()) if (!index.has(file)) visit(file);
  return circles;
}

/** Measures the whole source; takes some seconds. */
export function measureStructure(): Measure[] {
  const files = listFiles().map(readSource);
  const product = files.filter(({ isTest }) => !isTest);
  const inServer = product.filter(({ name }) => name.startsWith("apps/server/src/"));
  const count = (list: readonly SourceFile[], pattern: RegExp) =>
    list.reduce((sum, { code }) => sum + [...code.matchAll(pattern)].length, 0);
  const comments = files.flatMap((file) => file.comments.filter((one, at) => !continuesPrevious(file, at)));
  const access = listTableAccess();
  const slicesOf = (kind: "read" | "write", table: string) =>
    new Set(
      access
        .filter((one) => one.kind === kind && one.table === table && !["platform", "domain"].includes(one.folder))
        .map(({ folder }) => folder),
    );
  return [
    { title: "folders with more than 25 source files", value: crowdedFolders(product), limit: 0, target: "0" },
    {
      title: "comments that begin with a bare relative word, of 10,000",
      value: Math.round((comments.filter(({ value }) => relativeWord.test(value)).length / comments.length) * 10_000),
      limit: 0,
      target: "< 100",
    },
    {
      title: "files under 40 lines beside their only importer",
      value: fragments(files),
      limit: 18,
      target: "< 20",
    },
    {
      title: "tables with more than one writing slice",
      value: listTables().filter((table) => slicesOf("write", table).size > 1).length,
      limit: 0,
      target: "0",
    },
    {
      title: "raw SQL with an asserted row type",
      value: countAssertedRows(inServer),
      limit: 138,
      target: "< 150",
    },
    {
      title: "hand-written lines that rename a column",
      value: count(inServer, /^\s+([a-z]+[A-Z]\w*): (?:\w+\.)?[a-z]+_\w+(?: as \w+)?,?$/gm),
      limit: 47,
      target: "< 50",
    },
    {
      title: "circles of imports, types included",
      value: findImportCircles(new Map(product.map(({ name, imports }) => [name, imports]))).length,
      limit: 0,
      target: "0",
    },
    {
      title: "migrations",
      value: globSync("apps/server/migrations/*.sql", { cwd: root }).length,
      limit: 34,
      target: "one baseline for each slice",
    },
    {
      title: "non-null assertions in tests",
      value: files.filter(({ isTest }) => isTest).reduce((sum, one) => sum + one.nonNullAssertions, 0),
      limit: 63,
      target: "< 300",
    },
  ];
}

/**
 * Counts raw SQL whose row type states types by hand. A type that consists of `Row`, `Column` and `Selectable` alone
 * follows from the database catalogue.
 */
function countAssertedRows(files: readonly SourceFile[]): number {
  const byName = new Map(files.map((file) => [file.name, file]));
  const findDeclaration = (file: SourceFile, type: string) =>
    [file, ...file.imports.flatMap((one) => byName.get(one) ?? [])].find(({ types }) => types.has(type))?.name;
  const derived = new Set<string>();
  const isDerived = (file: SourceFile, type: string): boolean => {
    let rest = type
      .replace(/\/\*[^]*?\*\//g, "")
      .replace(/\b(?:Row|Column)<[^<>]*>|\bSelectable<\w+>/g, "§")
      .replace(/\b[A-Z]\w+\b/g, (name) => (derived.has(`${findDeclaration(file, name)} ${name}`) ? "§" : name));
    for (let last = ""; rest !== last;) {
      last = rest;
      rest = rest
        .replace(/\bNonNullable<§>|§ \| null|§\s*&\s*§/g, "§")
        .replace(/\b(?:Omit|Pick)<\s*§,[\s"\w|]+>/g, "§")
        .replace(/\{[\s|]*(?:"?\w+"?: §;?\s*)+\}/g, "§");
    }
    return /^\s*§\s*$/.test(rest);
  };
  for (let known = -1; known !== derived.size;) {
    known = derived.size;
    for (const file of files)
      for (const [name, type] of file.types) if (isDerived(file, type)) derived.add(`${file.name} ${name}`);
  }
  const scalar = /^(?:boolean|number|string|unknown|Date)\b/;
  return files.flatMap((file) => file.sqlRowTypes.filter((type) => !scalar.test(type) && !isDerived(file, type)))
    .length;
}

const continuesPrevious = ({ comments }: SourceFile, at: number): boolean => {
  const [previous, comment] = [comments[at - 1], comments[at]!];
  return comment.isLine && previous?.isLine === true && previous.line + 1 === comment.line;
};

function crowdedFolders(files: readonly SourceFile[]): number {
  const folders = Object.groupBy(files, ({ name }) => path.dirname(name));
  return Object.values(folders).filter((inFolder) => inFolder!.length > 25).length;
}

/** Small files that only the file beside them imports: a reader has to open two files for one thought. */
function fragments(files: readonly SourceFile[]): number {
  const importers = new Map<string, string[]>();
  for (const { name, imports } of files)
    for (const one of imports) importers.set(one, [...(importers.get(one) ?? []), name]);
  return files.filter(({ name, lines, isTest }) => {
    const [importer, ...others] = importers.get(name) ?? [];
    return (
      !isTest &&
      lines < 40 &&
      importer !== undefined &&
      others.length === 0 &&
      path.dirname(importer) === path.dirname(name)
    );
  }).length;
}

if (process.argv[1] === import.meta.filename)
  process.stdout.write(
    [
      "| measure | value | held at | target |",
      "|---|---|---|---|",
      ...measureStructure().map(({ title, value, limit, target }) => `| ${title} | ${value} | ${limit} | ${target} |`),
      "",
    ].join("\n"),
  );
