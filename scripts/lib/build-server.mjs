import { randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { isStopping, runChild } from "./child-process.mjs";
import { createEnvironment } from "./find-node-runtime.mjs";
import { fingerprint, inRoot, listFiles } from "./paths.mjs";

/** The server's program without a bundle. */
export const sourceMain = inRoot("apps/server/src/main.ts");
const manifestName = "manifest.json";
const weekMs = 7 * 24 * 3_600_000;

/**
 * Bundles the server if its sources have changed, and returns the program to start (decision 166). Each bundle has a
 * folder of its own, and former ones stay for a week: a server that runs may still load parts of its bundle. Commands
 * that build at once each make a draft of their own, and the first one is kept. If no bundle can be made, one line says
 * so and the server starts from its sources, which takes longer and more memory.
 */
export async function buildServer(
  runtime,
  {
    dist = inRoot("apps/server/dist"),
    readSources = fingerprintSources,
    bundle = (draft) => runBundler(runtime, draft),
    report = (line) => process.stderr.write(`Arcada: ${line}\n`),
  } = {},
) {
  const draft = path.join(dist, `draft-${process.pid}-${randomUUID()}`);
  try {
    const sources = readSources();
    const folder = path.join(dist, sources.slice(0, 16));
    if (!isComplete(folder, sources)) {
      await bundle(draft);
      if (readSources() !== sources) throw new Error("its sources changed meanwhile");
      complete(draft, sources);
      putInPlace(draft, folder, sources);
      removeOldFolders(dist);
    }
    return path.join(folder, "main.mjs");
  } catch (error) {
    if (!isStopping())
      report(`The server could not be bundled (${error.message}) and starts from its sources. 服务器从源代码启动。`);
    return sourceMain;
  } finally {
    tryTo(() => rmSync(draft, { recursive: true, force: true }));
  }
}

async function runBundler(runtime, draft) {
  if (!existsSync(inRoot("node_modules/rolldown"))) throw new Error("the bundler is not installed");
  const options = [inRoot("scripts/lib/bundle-server.mjs"), draft];
  const code = await runChild(runtime, options, { env: createEnvironment(runtime) });
  if (code !== 0) throw new Error(`the bundler ended with code ${code}`);
}

/** Flushes the draft and writes its manifest last: without one that matches its files, a folder is no bundle. */
function complete(draft, sources) {
  const names = readdirSync(draft);
  for (const name of names) flush(path.join(draft, name));
  const files = Object.fromEntries(names.map((name) => [name, statSync(path.join(draft, name)).size]));
  writeFileSync(path.join(draft, manifestName), JSON.stringify({ sources, files }), { flush: true });
  // Windows flushes no folders.
  if (process.platform !== "win32") flush(draft, "r");
}

function flush(file, flags = "r+") {
  const descriptor = openSync(file, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function isComplete(folder, sources) {
  try {
    const manifest = JSON.parse(readFileSync(path.join(folder, manifestName), "utf8"));
    const files = Object.entries(manifest.files);
    return (
      manifest.sources === sources && files.every(([name, size]) => statSync(path.join(folder, name)).size === size)
    );
  } catch {
    return false;
  }
}

function putInPlace(draft, folder, sources) {
  if (existsSync(folder) && !isComplete(folder, sources)) removeFolder(folder);
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another command was faster.
    if (!isComplete(folder, sources)) throw error;
  }
}

/** Removes what is older than a week, drafts of killed commands included, except for the newest two bundles. */
function removeOldFolders(dist) {
  tryTo(() => {
    const folders = readdirSync(dist).map((name) => path.join(dist, name));
    const ages = new Map(folders.map((folder) => [folder, Date.now() - statSync(folder).mtimeMs]));
    const bundles = folders.filter((folder) => existsSync(path.join(folder, manifestName)));
    const kept = new Set(bundles.toSorted((a, b) => ages.get(a) - ages.get(b)).slice(0, 2));
    for (const folder of folders) if (ages.get(folder) > weekMs && !kept.has(folder)) removeFolder(folder);
  });
}

/** Nobody sees a folder that is removed in part. */
function removeFolder(folder) {
  const removed = path.join(path.dirname(folder), `removed-${randomUUID()}`);
  renameSync(folder, removed);
  rmSync(removed, { recursive: true, force: true });
}

/** A folder that cannot be removed now is removed after another build. */
function tryTo(tidyUp) {
  try {
    tidyUp();
  } catch {
    // The bundle is in its place, or the sources are started.
  }
}

function fingerprintSources() {
  const packages = ["contract", "texts", "imaging", "analysis", "exchange", "phantom"].map(
    (name) => `packages/${name}`,
  );
  const folders = ["apps/server/src", "demo", ...packages];
  const files = folders
    .flatMap((folder) => listFiles(inRoot(folder)))
    .filter((file) => /(?<!\.test)\.(?:ts|json)$/.test(file));
  const builders = ["bundle-server.mjs", "build-server.mjs"].map((name) => inRoot("scripts/lib", name));
  return fingerprint([inRoot("package-lock.json"), ...builders, ...files]);
}
