import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findReleaseFaults } from "./release-checks.ts";

// Makes the files of a release in .build/release: the archive with the built web application, the bill of materials
// (CycloneDX), the result of npm audit and the checksums. It neither tags nor publishes: docs/developer/release.md.
// `--check` alone reports whether this commit may be released.

const root = path.join(import.meta.dirname, "../..");
const manifests = [
  "deploy/compose/compose.yaml",
  "deploy/compose/compose.scaled.yaml",
  "deploy/kubernetes/single/kustomization.yaml",
  "deploy/kubernetes/scaled/kustomization.yaml",
];
const readText = (file: string): string => readFileSync(path.join(root, file), "utf8");
const { version } = JSON.parse(readText("package.json")) as { version: string };

const faults = findReleaseFaults({
  version,
  changelog: readText("CHANGELOG.md"),
  changes: run("git", ["status", "--porcelain"]).output,
  tags: run("git", ["tag", "--points-at", "HEAD"]).output.split("\n").filter(Boolean),
  statedIn: Object.fromEntries(manifests.map((file) => [file, readText(file)])),
});
for (const fault of faults) process.stderr.write(`${fault}\n`);
const isDraft = process.argv.includes("--draft");
if (faults.length > 0 && !isDraft) process.exit(1);
if (process.argv.includes("--check")) process.exit(faults.length > 0 ? 1 : 0);

const folder = path.join(root, ".build/release");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const files = [makeArchive(), writeBillOfMaterials(), auditPackages()];
writeFileSync(path.join(folder, "SHA256SUMS"), files.map((file) => `${hashFile(file)}  ${file}\n`).join(""));
process.stdout.write(`${folder}:\n${[...files, "SHA256SUMS"].map((file) => `  ${file}\n`).join("")}`);

/** The sources of the commit with the built web application, so that an installation needs no packages of the browser. */
function makeArchive(): string {
  const name = `arcada-${version}`;
  const tree = path.join(folder, name);
  const tar = path.join(folder, `${name}.tar`);
  runOrThrow("git", ["archive", `--prefix=${name}/`, `--output=${tar}`, "HEAD"]);
  mkdirSync(path.join(tree, "apps/web"), { recursive: true });
  mkdirSync(path.join(tree, ".build"));
  cpSync(path.join(root, "apps/web/dist"), path.join(tree, "apps/web/dist"), { recursive: true });
  // The stamp says from which sources the pages were built.
  cpSync(path.join(root, ".build/web.stamp"), path.join(tree, ".build/web.stamp"));
  runOrThrow("tar", ["--append", `--file=${tar}`, "--owner=0", "--group=0", `--directory=${folder}`, name]);
  rmSync(tree, { recursive: true });
  runOrThrow("gzip", ["--best", "--no-name", tar]);
  return `${name}.tar.gz`;
}

/** Every package of the lock file that a production installation contains, with its version, licence and hash. */
function writeBillOfMaterials(): string {
  const name = `arcada-${version}.cdx.json`;
  const text = runOrThrow("npm", ["sbom", "--sbom-format=cyclonedx", "--omit=dev", "--package-lock-only"]);
  const { components } = JSON.parse(text) as { components: unknown[] };
  writeFileSync(path.join(folder, name), text);
  process.stdout.write(`Bill of materials: ${components.length} components\n`);
  return name;
}

/** The exit code is 1 if a package has a known fault, or if nobody could be asked: a person decides then. */
function auditPackages(): string {
  const name = `arcada-${version}.npm-audit.json`;
  const { output } = run("npm", ["audit", "--omit=dev", "--json"]);
  writeFileSync(path.join(folder, name), output);
  const result = JSON.parse(output || "{}") as { metadata?: { vulnerabilities: Record<string, number> } };
  const counts = result.metadata?.vulnerabilities;
  process.stdout.write(`npm audit: ${counts ? JSON.stringify(counts) : "no answer; its message is in the file"}\n`);
  if (!counts || (counts["total"] ?? 0) > 0) process.exitCode = 1;
  return name;
}

function run(command: string, words: string[]): { status: number | null; output: string } {
  const { status, stdout } = spawnSync(command, words, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return { status, output: stdout ?? "" };
}
function runOrThrow(command: string, words: string[]): string {
  const { status, output } = run(command, words);
  if (status !== 0) throw new Error(`${command} ${words[0]} ended with ${status}`);
  return output;
}
function hashFile(name: string): string {
  return createHash("sha256")
    .update(readFileSync(path.join(folder, name)))
    .digest("hex");
}
