import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { everyCall } from "@arcada/contract/calls";
import { refusals } from "@arcada/contract/kernel/refusals";
import { slices } from "../../apps/server/src/slices.ts";

const server = path.join(import.meta.dirname, "../../apps/server/src");
const names = Object.keys(refusals);

/** Returns the refusals that a folder of the server names in its sources, in the order of the contract. */
function listRefusals(folders: readonly string[]): string[] {
  const found = new Set<string>();
  for (const file of folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: server }))) {
    if (file.endsWith(".test.ts")) continue;
    for (const [, word = ""] of readFileSync(path.join(server, file), "utf8").matchAll(/"(\w+)"/g)) found.add(word);
  }
  return names.filter((name) => found.has(name));
}

/** Returns the folders of the server from which a slice imports: parts of the platform, and slices without calls. */
function listImportedFolders(slice: string): string[] {
  const found = new Set<string>();
  for (const file of globSync(`${slice}/**/*.ts`, { cwd: server }))
    for (const [, folder = ""] of readFileSync(path.join(server, file), "utf8").matchAll(importedFolder))
      found.add(folder);
  return [...found].filter((folder) => folder.startsWith("platform/") || slicesWithoutCalls.has(folder));
}
const importedFolder = /from "(?:\.\.\/)+(platform\/[\w-]+|[\w-]+)\//g;
const slicesWithoutCalls = new Set(slices.filter(({ routes = [] }) => routes.length === 0).map(({ name }) => name));

/**
 * Renders the module that lists which refusals the calls of each slice may answer with: those that the slice, or a part
 * of the server that it imports, names, and those that every call shares. A call has at most these.
 */
export function renderRefusalsBySlice(): string {
  const shared = listRefusals(["platform/http", "platform/database", "platform/security", "platform/live", "domain"]);
  const callSlices = new Map(everyCall().map(({ name, row }) => [row, name.slice(0, name.indexOf("."))]));
  const own = new Map<string, Set<string>>();
  for (const { name, routes = [] } of slices) {
    const listed = routes.length === 0 ? [] : listRefusals([name, ...listImportedFolders(name)]);
    for (const { call } of routes) {
      const slice = callSlices.get(call);
      if (slice === undefined) continue;
      const set = own.get(slice) ?? new Set();
      for (const one of listed) set.add(one);
      own.set(slice, set);
    }
  }
  const line = (key: string, list: readonly string[]): string =>
    `  ${key}: [\n${list.map((one) => `    "${one}",\n`).join("")}  ],\n`;
  return [
    '// Made from the sources of the server by `node scripts/generate-docs.ts`; a test compares them.\n\nimport type { RefusalName } from "../kernel/refusals.ts";\n\n',
    "/** The refusals with which the calls of each slice may answer, those that all calls share among them. */\n",
    "export const refusalsBySlice: Readonly<Record<string, readonly RefusalName[]>> = {\n",
    line("everywhere", shared),
    ...[...own].map(([slice, list]) =>
      line(
        slice,
        names.filter((name) => list.has(name) || shared.includes(name)),
      ),
    ),
    "};\n",
  ].join("");
}
