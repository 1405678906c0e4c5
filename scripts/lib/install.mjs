import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { compareWithLockFile } from "./compare-installed-packages.mjs";
import { runExclusively, createUserError, fingerprint, inBuild, inRoot, readText, root } from "./paths.mjs";

/**
 * Installs the packages of the lock file, once: the next command finds the stamp and needs no network.
 * @param {"start" | "development"} scope what runs the product and builds its pages, or also what tests and checks need
 */
export async function install(scope) {
  if (isInstalled(scope)) return;
  await runExclusively("install", () => {
    if (isInstalled(scope)) return;
    const found = findInstalledScope();
    if (found === "development" || found === scope) return finishInstallation(found);
    // A checkout that has had the tools of development keeps them.
    const wanted = readStamp().scope === "development" ? "development" : scope;
    if (found === "start") addDevelopmentPackages();
    else installAnew(wanted);
    finishInstallation(wanted);
  });
}

function finishInstallation(scope) {
  removeUnusedWasmRuntimes();
  writeStamp(scope);
}

/**
 * The package of the runtime in WebAssembly holds twelve builds for browsers and their source maps, 135 MB. A server
 * uses one of them, 14 MB (decision 144).
 */
function removeUnusedWasmRuntimes() {
  const folder = inRoot("node_modules/onnxruntime-web");
  for (const name of ["docs", "lib"]) rmSync(path.join(folder, name), { recursive: true, force: true });
  const builds = path.join(folder, "dist");
  if (!existsSync(builds)) return;
  for (const name of readdirSync(builds))
    if (!usedWasmRuntime.includes(name)) rmSync(path.join(builds, name), { recursive: true, force: true });
}
const usedWasmRuntime = ["ort.node.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"];

/** Installs the native runtime of engine packs, which is faster. It is optional because it takes 289 MB (decision 109). */
export async function installEngineRuntime() {
  await runExclusively("install", () => {
    if (!existsSync(inRoot("node_modules", engineRuntime))) addEngineRuntime();
    writeFileSync(engineRuntimeChosen, "");
  });
}

const engineRuntime = "onnxruntime-node";
// An installation from the beginning removes the runtime. This file remembers that somebody asked for it.
const engineRuntimeChosen = inBuild("engine-runtime");
const stampFile = inRoot("node_modules/.arcada-installed");
const scopes = ["start", "development"];

function isInstalled(scope) {
  const stamp = readStamp();
  return stamp.manifests === fingerprintManifests() && scopes.indexOf(stamp.scope) >= scopes.indexOf(scope);
}
function readStamp() {
  const [manifestHash, platform, scope] = readText(stampFile).split(" ");
  return { manifests: `${manifestHash} ${platform}`, scope };
}
const writeStamp = (scope) => writeFileSync(stampFile, `${fingerprintManifests()} ${scope}`);
const fingerprintManifests = () => `${fingerprint([...manifests()])} ${process.platform}-${process.arch}`;

function manifests() {
  const folders = ["packages", "apps"].flatMap((group) =>
    readdirSync(inRoot(group)).map((name) => inRoot(group, name)),
  );
  const workspaces = folders.map((folder) => path.join(folder, "package.json")).filter((file) => existsSync(file));
  return [inRoot("package.json"), inRoot("package-lock.json"), ...workspaces];
}

/** npm writes this record last, so that an installation that was killed has none. */
function findInstalledScope() {
  const record = readText(inRoot("node_modules/.package-lock.json"));
  if (!record) return null;
  return compareWithLockFile(JSON.parse(readText(inRoot("package-lock.json"))), JSON.parse(record));
}

function installAnew(scope) {
  process.stdout.write("Installing what Arcada needs (once; npm ci) … 正在安装依赖……\n");
  runNpm(["ci", scope === "start" ? "--omit=dev" : "--include=dev", "--include=optional"]);
  if (scope === "start" && existsSync(engineRuntimeChosen)) addEngineRuntime();
}

// `npm ci` would first remove every package, also those of a server that runs in this checkout.
function addDevelopmentPackages() {
  process.stdout.write("Installing what development needs (once; npm install) … 正在安装开发依赖……\n");
  runNpm(["install", "--no-save", "--include=dev", "--include=optional"]);
}

function addEngineRuntime() {
  process.stdout.write("Installing the runtime of engine packs … 正在安装引擎运行环境……\n");
  const { devDependencies } = JSON.parse(readText(inRoot("apps/server/package.json")));
  const wanted = `${engineRuntime}@${devDependencies[engineRuntime]}`;
  // As a production package, because npm would leave out one that the manifest lists for development.
  runNpm(["install", "--no-save", "--save-prod", "--omit=dev", "--workspace=apps/server", wanted]);
}

function runNpm(words) {
  const [command, firstArguments] = findNpm();
  // npm warns about the Node that runs npm, not about the one that will run Arcada.
  const options = [...words, "--no-audit", "--no-fund", "--loglevel=error", ...cacheOptions()];
  const result = spawnSync(command, [...firstArguments, ...options], {
    cwd: root,
    stdio: "inherit",
    env: npmEnvironment(),
  });
  if (result.error)
    throw createUserError("npm was not found: install Node.js with npm. 未找到 npm，请安装带有 npm 的 Node.js。");
  if (result.status !== 0)
    throw createUserError(`npm ${words[0]} failed; its own words stand above. 依赖安装失败，原因见上文。`);
}

/** Returns the npm that runs us, else the one in the PATH. */
function findNpm() {
  const npmScript = process.env.npm_execpath;
  if (npmScript && /npm-cli\.[cm]?js$/.test(npmScript))
    return [process.env.npm_node_execpath ?? process.execPath, [npmScript]];
  return ["npm", []];
}

// The options say what is installed, not the mode. A PATH with our own node_modules would be removed during the
// installation.
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
