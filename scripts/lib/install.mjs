import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { runExclusively, createUserError, fingerprint, inBuild, inRoot, readText, root } from "./paths.mjs";

/** Installs the packages of the lock file, once: the next command finds the stamp and needs no network. */
export async function install() {
  if (isInstalled()) return;
  await runExclusively("install", () => {
    if (!isInstalled() && !matchesLockFile()) runNpm();
    writeFileSync(stampFile, fingerprintManifests());
  });
}

const stampFile = inRoot("node_modules/.arcada-installed");
const isInstalled = () => readText(stampFile) === fingerprintManifests();
const fingerprintManifests = () => `${fingerprint([...manifests()])} ${process.platform}-${process.arch}`;

function manifests() {
  const folders = ["packages", "apps"].flatMap((group) =>
    readdirSync(inRoot(group)).map((name) => inRoot(group, name)),
  );
  const workspaces = folders.map((folder) => path.join(folder, "package.json")).filter((file) => existsSync(file));
  return [inRoot("package.json"), inRoot("package-lock.json"), ...workspaces];
}

/**
 * True if npm itself has already installed the locked versions, as `npm install` does. npm writes this record last, so
 * that an installation that was killed has none.
 */
function matchesLockFile() {
  const record = readText(inRoot("node_modules/.package-lock.json"));
  if (!record) return false;
  const installed = JSON.parse(record).packages;
  const locked = JSON.parse(readText(inRoot("package-lock.json"))).packages;
  return Object.entries(locked).every(([location, { version, optional }]) => {
    if (!location.includes("node_modules/")) return true;
    return installed[location]
      ? installed[location].version === version
      : Boolean(optional) && !fitsThisPlatform(locked[location]);
  });
}
// A package without its own platform belongs to one that has a platform, and is missing together with it.
const fitsThisPlatform = ({ os, cpu, libc }) =>
  Boolean(os ?? cpu) && isAllowed(os, process.platform) && isAllowed(cpu, process.arch) && isAllowed(libc, "glibc");
const isAllowed = (allowed, current) => !allowed || allowed.includes(current);

function runNpm() {
  process.stdout.write("Installing what Arcada needs (once; npm ci) … 正在安装依赖……\n");
  const [command, firstArguments] = findNpm();
  // npm warns about the Node that runs npm, not about the one that will run Arcada.
  const quietOptions = ["--no-audit", "--no-fund", "--loglevel=error"];
  const options = ["ci", ...quietOptions, "--include=dev", "--include=optional", ...cacheOptions()];
  const result = spawnSync(command, [...firstArguments, ...options], {
    cwd: root,
    stdio: "inherit",
    env: npmEnvironment(),
  });
  if (result.error)
    throw createUserError("npm was not found: install Node.js with npm. 未找到 npm，请安装带有 npm 的 Node.js。");
  if (result.status !== 0)
    throw createUserError("npm ci failed; its own words stand above. 依赖安装失败，原因见上文。");
}

/** Returns the npm that runs us, else the one in the PATH. */
function findNpm() {
  const npmScript = process.env.npm_execpath;
  if (npmScript && /npm-cli\.[cm]?js$/.test(npmScript))
    return [process.env.npm_node_execpath ?? process.execPath, [npmScript]];
  return ["npm", []];
}

// In production mode npm would omit packages for building and testing. A PATH with our own node_modules would be
// removed during the installation.
function npmEnvironment() {
  const { NODE_ENV: _, ...environment } = process.env;
  const folders = (environment.PATH ?? "").split(path.delimiter).filter((folder) => !folder.includes("node_modules"));
  // onnxruntime-node would download its CUDA part; the processor is sufficient.
  return { ...environment, PATH: folders.join(path.delimiter), ONNXRUNTIME_NODE_INSTALL: "skip" };
}

/** Uses a separate cache if npm's, below the home folder, is not writable. */
function cacheOptions() {
  const defaultCache = process.env.npm_config_cache ?? path.join(homedir(), ".npm");
  try {
    mkdirSync(defaultCache, { recursive: true });
    accessSync(defaultCache, constants.W_OK);
    return [];
  } catch {
    return ["--cache", inBuild("npm-cache")];
  }
}
