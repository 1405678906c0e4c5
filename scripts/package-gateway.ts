import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { languages } from "@arcada/contract/kernel/languages";
import { gatewayPlatforms, type GatewayPlatform } from "@arcada/contract/upgrade/upgrade.rules";
import { programPath } from "../apps/server/src/gateway/program/installation.ts";
import { streamZip, type ZipEntry } from "../apps/server/src/platform/storage/zip-writer.ts";

// Makes the gateway as one program without npm: a folder and a zip to install, and an upgrade package to sign.
// The binaries of Node are given by their paths, because a build downloads nothing.
const usage = `Usage: node scripts/app.mjs package gateway --platform ${gatewayPlatforms.join("|")} --node FILE
  [--update-key NAME=PUBLIC]   trusts this key for updates; make it with "package-key"
  [--sign "COMMAND {file}"]    signs the executable: signtool or codesign in place, osslsigncode as "… -in {file} -out {out}"
  [--runtime-in-update]        puts Node into the upgrade package too: for a new version of Node
  [--out FOLDER]`;

const root = path.join(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    platform: { type: "string" },
    node: { type: "string" },
    "update-key": { type: "string", multiple: true, default: [] },
    sign: { type: "string" },
    "runtime-in-update": { type: "boolean", default: false },
    out: { type: "string", default: path.join(root, ".build", "gateway") },
  },
});
const platform = gatewayPlatforms.find((one) => one === values.platform);
if (positionals[0] !== "gateway" || !platform || !values.node || !existsSync(values.node)) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

const exampleSettings = (
  target: GatewayPlatform,
): string => `# Copy this file to gateway.env. docs/gateway.md lists all settings.
GATEWAY_CLOUD=https://arcada.example
GATEWAY_KEY_FILE=${target === "win-x64" ? "C:\\ProgramData\\Arcada\\key.txt" : "/etc/arcada/gateway-key"}
# A clinic's devices, and folders of scans:
#GATEWAY_CALLING_AES=CBCT1=CT
#GATEWAY_HOST=0.0.0.0
#GATEWAY_WATCH=${target === "win-x64" ? "C:\\Scans" : "/srv/scans"}=IOS
# Or a laboratory's folder of cases:
#GATEWAY_LAB_FOLDER=${target === "win-x64" ? "D:\\exocad\\cases" : "/srv/cases"}
`;

await packageGateway(platform, values.node, path.resolve(values.out));

async function packageGateway(target: GatewayPlatform, node: string, out: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string };
  const name = `arcada-gateway-${version}-${target}`;
  const folder = path.join(out, name);
  rmSync(folder, { recursive: true, force: true });
  const program = path.join(folder, "versions", version);
  const runtime = target === "win-x64" ? "node.exe" : "node";
  writeProgram(program, version);
  bundle("apps/server/src/gateway/program/program.cli.ts", path.join(folder, "arcada-gateway.mjs"));
  copyFileSync(node, path.join(folder, runtime));
  chmodSync(path.join(folder, runtime), 0o755);
  sign(path.join(folder, runtime));
  writeLaunchers(folder, target);
  writeFileSync(path.join(folder, "state.json"), `${JSON.stringify({ current: version }, null, 2)}\n`);
  writeFileSync(path.join(folder, "update-keys.txt"), values["update-key"].map((key) => `${key}\n`).join(""));
  writeFileSync(path.join(folder, "gateway.env.example"), exampleSettings(target));
  copyFileSync(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
  writeNotices(folder, program, node);
  await writeZip(folder, name, path.join(out, `${name}.zip`));
  if (values["runtime-in-update"]) copyFileSync(path.join(folder, runtime), path.join(program, runtime));
  await writeZip(program, "", path.join(out, `${name}.update.zip`));
  process.stdout.write(
    `${folder}\n${folder}.zip\n${folder}.update.zip: sign it as "Arcada Gateway ${target}" ${version}\n`,
  );
}

/** Writes the parts that change from version to version: the script, and the texts and the version that it reads from its place. */
function writeProgram(folder: string, version: string): void {
  bundle("apps/server/src/gateway/main.ts", path.join(folder, ...programPath));
  for (const language of languages)
    for (const file of ["gateway.json", "interface.json"])
      cpSync(path.join(root, "packages/texts", language, file), path.join(folder, "packages/texts", language, file));
  writeFileSync(
    path.join(folder, "package.json"),
    `${JSON.stringify({ name: "arcada-gateway", version, type: "module" })}\n`,
  );
}

/** @throws if the bundle needs a native addon, which one file cannot hold */
function bundle(entry: string, file: string): void {
  const given = [
    path.join(root, entry),
    "--platform",
    "node",
    "--format",
    "esm",
    "--file",
    file,
    "--log-level",
    "warn",
  ];
  execFileSync(process.execPath, [path.join(root, "node_modules/.bin/rolldown"), ...given], {
    cwd: root,
    stdio: "inherit",
  });
  const foreign = [...readFileSync(file, "utf8").matchAll(/^import .*?from "([^".]+)";$/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => !name.startsWith("node:"));
  if (foreign.length > 0) throw new Error(`${entry} needs ${[...new Set(foreign)].join(", ")} beside its bundle`);
}

/** The licences of Node and of the packages in the bundles, as they ask for it. */
function writeNotices(folder: string, program: string, node: string): void {
  const scripts = [path.join(folder, "arcada-gateway.mjs"), path.join(program, ...programPath)];
  const packages = scripts.flatMap((script) =>
    [...readFileSync(script, "utf8").matchAll(/^\/\/ ((?:apps\/server\/)?node_modules\/(?:@[^/\n]+\/)?[^/\n]+)/gm)].map(
      ([, at = ""]) => at,
    ),
  );
  const texts = [...new Set(packages)].toSorted().map((at) => `${nameOf(at)}\n\n${readLicence(path.join(root, at))}\n`);
  const ofNode = path.join(path.dirname(node), "..", "LICENSE");
  const nodeText = existsSync(ofNode) ? readFileSync(ofNode, "utf8") : "The licence of Node stands at its sources.";
  writeFileSync(path.join(folder, "NOTICES.txt"), [...texts, `Node.js\n\n${nodeText}`].join(`\n${"-".repeat(80)}\n\n`));
}

function nameOf(at: string): string {
  return at.slice(at.indexOf("node_modules/") + "node_modules/".length);
}

/** Some packages only name their licence. */
function readLicence(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file) return readFileSync(path.join(folder, file), "utf8").trim();
  const { license, author } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as Record<
    string,
    unknown
  >;
  if (typeof license !== "string") throw new Error(`${folder} names no licence`);
  return [`Licence: ${license}`, ...(author ? [`Author: ${JSON.stringify(author)}`] : [])].join("\n");
}

function writeLaunchers(folder: string, target: GatewayPlatform): void {
  if (target === "win-x64") {
    const lines = ["@echo off", `"%~dp0node.exe" "%~dp0arcada-gateway.mjs" %*`, ""];
    writeFileSync(path.join(folder, "arcada-gateway.cmd"), lines.join("\r\n"));
    return;
  }
  const file = path.join(folder, "arcada-gateway");
  writeFileSync(
    file,
    `#!/bin/sh\nhere=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)\n[ -x "$here/node" ] || chmod +x "$here/node"\nexec "$here/node" "$here/arcada-gateway.mjs" "$@"\n`,
  );
  chmodSync(file, 0o755);
}

/** Node's own binaries are signed by their makers; an organisation may sign them as its own program. */
function sign(file: string): void {
  if (!values.sign) return;
  // Some tools sign in place, others write another file.
  const signed = `${file}.signed`;
  const command = values.sign.split(" ").map((part) => part.replaceAll("{file}", file).replaceAll("{out}", signed));
  execFileSync(command[0] ?? "", command.slice(1), { stdio: "inherit" });
  if (existsSync(signed)) renameSync(signed, file);
}

async function writeZip(folder: string, prefix: string, file: string): Promise<void> {
  const draft = path.join(mkdtempSync(path.join(tmpdir(), "arcada-package-")), "draft.zip");
  await pipeline(Readable.from(streamZip(listEntries(folder, prefix))), createWriteStream(draft));
  cpSync(draft, file);
  rmSync(path.dirname(draft), { recursive: true });
}

/** The same files give the same bytes: the time of an entry is fixed. */
function listEntries(folder: string, prefix: string): ZipEntry[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return names
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted()
    .map((at) => ({
      path: [prefix, ...path.relative(folder, at).split(path.sep)].filter(Boolean).join("/"),
      at: new Date("2026-01-01T00:00:00Z"),
      bytes: statSync(at).size,
      compress: true,
      open: () => [readFileSync(at)],
    }));
}
