import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../..");
const packages = ["contract", "imaging", "analysis", "exchange", "phantom", "testing"];

it("has no file in its packages that nothing uses", () => {
  const starts = globSync(["{apps/*/src,demo,bench,tests}/**/*.{ts,tsx}", "packages/*/src/**/*.test.ts"], {
    cwd: root,
  });
  const reached = collectReachableFiles(starts.map((file) => path.join(root, file)));
  const files = globSync(`packages/{contract,imaging,analysis,exchange,phantom}/src/**/*.ts`, { cwd: root });
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !file.endsWith(".d.ts") && !reached.has(path.join(root, file)))).toEqual([]);
});

it("exports no imaging module that the product uses only inside the package", () => {
  const files = globSync("{apps/*/src,packages/{analysis,phantom,testing}/src,demo}/**/*.{ts,tsx}", { cwd: root });
  const used = files.flatMap(
    (file) => readFileSync(path.join(root, file), "utf8").match(/@arcada\/imaging\/[^"]+/g) ?? [],
  );
  const { exports } = JSON.parse(readFileSync(path.join(root, "packages/imaging/package.json"), "utf8"));
  expect(Object.keys(exports).filter((name) => !used.includes(`@arcada/imaging/${name.slice(2)}`))).toEqual([]);
});

/** Every file that these files import, and those import, and so on. */
function collectReachableFiles(starts: string[]): Set<string> {
  const reached = new Set(starts);
  for (const file of reached)
    for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(
      /(?:from|import|import\(|new URL\()\s*"([^"]+)"/g,
    )) {
      const target = resolveImport(file, specifier);
      if (target && existsSync(target)) reached.add(target);
    }
  return reached;
}

function resolveImport(file: string, specifier: string): string | undefined {
  if (/^\.{1,2}\/.*\.tsx?$/.test(specifier)) return path.resolve(path.dirname(file), specifier);
  const [, name = "", rest] = /^@arcada\/([^/]+)\/(.+)$/.exec(specifier) ?? [];
  return packages.includes(name) ? path.join(root, `packages/${name}/src/${rest}.ts`) : undefined;
}
