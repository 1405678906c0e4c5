import { readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "oxc-parser";
import { describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../..");
const importersOfLibrary = findImporters(
  ...["main", "start", "announce-start"].map((name) => `apps/server/src/${name}.ts`),
);

describe("the server process", () => {
  it.each(["@simplewebauthn/server", "@zxcvbn-ts/language-common", "nodemailer", "sharp"])(
    "starts without %s, which takes megabytes and is needed later or never",
    (library) => {
      expect(importersOfLibrary.get(library)).toBeUndefined();
    },
  );

  it("has its libraries found", () => {
    expect(importersOfLibrary.has("pg")).toBe(true);
  });
});

/** Returns the files that import each library, of all files that the entries load at once. */
function findImporters(...entries: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  const known = new Set(entries);
  for (const file of known)
    for (const specifier of listImports(file)) {
      const source = toSource(file, specifier);
      if (source) known.add(source);
      else importers.set(specifier, [...(importers.get(specifier) ?? []), file]);
    }
  return importers;
}

function listImports(file: string): string[] {
  const { module } = parseSync(file, readFileSync(path.join(root, file), "utf8"));
  const imported = module.staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value);
  const passedOn = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ isType, moduleRequest }) => (isType || !moduleRequest ? [] : [moduleRequest.value])),
  );
  return [...imported, ...passedOn];
}

/** Returns the file of ours that is imported; undefined for a library. */
function toSource(from: string, specifier: string): string | undefined {
  const [, workspace, rest] = /^@arcada\/(\w+)\/(.+)$/.exec(specifier) ?? [];
  if (workspace) return `packages/${workspace}/src/${rest}.ts`;
  return specifier.startsWith(".") ? path.join(path.dirname(from), specifier) : undefined;
}
