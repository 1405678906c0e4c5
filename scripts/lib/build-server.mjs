import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { runChild } from "./child-process.mjs";
import { createEnvironment } from "./find-node-runtime.mjs";
import { runExclusively, fingerprint, inRoot, listFiles } from "./paths.mjs";

const dist = inRoot("apps/server/dist");
const sourceMain = inRoot("apps/server/src/main.ts");

/**
 * Bundles the server if its sources have changed, and returns the program to start (decision 166). Each bundle has a
 * folder of its own, and the one before stays: a server that runs may still load parts of it. Without a bundler, and
 * with one that fails, the server starts from its sources, which takes longer and more memory.
 */
export async function buildServer(runtime) {
  const folder = path.join(dist, fingerprintSources());
  const program = path.join(folder, "main.mjs");
  if (existsSync(program)) return program;
  if (!existsSync(inRoot("node_modules/rolldown"))) return sourceMain;
  return runExclusively("server", async () => {
    if (existsSync(program)) return program;
    const draft = path.join(dist, "draft");
    rmSync(draft, { recursive: true, force: true });
    const options = [inRoot("scripts/lib/bundle-server.mjs"), draft];
    const code = await runChild(runtime, options, { env: createEnvironment(runtime) });
    if (code !== 0) return sourceMain;
    removeFormerBundles();
    renameSync(draft, folder);
    return program;
  });
}

function removeFormerBundles() {
  const folders = readdirSync(dist)
    .filter((name) => name !== "draft")
    .map((name) => path.join(dist, name));
  const newestFirst = folders.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const folder of newestFirst.slice(1)) rmSync(folder, { recursive: true, force: true });
}

const fingerprintSources = () => {
  const packages = ["contract", "texts", "imaging", "analysis", "exchange", "phantom"].map(
    (name) => `packages/${name}`,
  );
  const folders = ["apps/server/src", "demo", ...packages];
  const files = folders
    .flatMap((folder) => listFiles(inRoot(folder)))
    .filter((file) => /(?<!\.test)\.(?:ts|json)$/.test(file));
  const builders = ["bundle-server.mjs", "build-server.mjs"].map((name) => inRoot("scripts/lib", name));
  return fingerprint([inRoot("package-lock.json"), ...builders, ...files]).slice(0, 16);
};
