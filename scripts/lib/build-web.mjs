import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { runChild } from "./child-process.mjs";
import { runExclusively, createUserError, listFiles, fingerprint, inBuild, inRoot, readText } from "./paths.mjs";
import { createEnvironment, findProgram } from "./find-node-runtime.mjs";

/** Builds the web application into apps/web/dist when it is missing or its sources have changed. */
export async function buildWeb(runtime) {
  if (isUpToDate()) return;
  await runExclusively("web", async () => {
    if (isUpToDate()) return;
    process.stdout.write("Building the web application … 正在构建网页……\n");
    const sources = fingerprintSources();
    // Built in a separate folder and then exchanged, so that a running server never sees partial files.
    const stagingFolder = inBuild("web-draft");
    const options = [
      findProgram("vite"),
      "build",
      inRoot("apps/web"),
      "--outDir",
      stagingFolder,
      "--emptyOutDir",
      "--logLevel",
      "warn",
    ];
    const code = await runChild(runtime, options, { env: createEnvironment(runtime, { NODE_ENV: "production" }) });
    if (code !== 0)
      throw createUserError("The web application could not be built; the reason stands above. 网页构建失败。");
    rmSync(inBuild("web-old"), { recursive: true, force: true });
    if (existsSync(dist)) renameSync(dist, inBuild("web-old"));
    renameSync(stagingFolder, dist);
    writeFileSync(stampFile, sources);
  });
}

const dist = inRoot("apps/web/dist");
const stampFile = inBuild("web.stamp");
const isUpToDate = () => existsSync(inRoot("apps/web/dist/index.html")) && readText(stampFile) === fingerprintSources();
const fingerprintSources = () => {
  const packages = ["contract", "texts", "imaging", "analysis"].map((name) => `packages/${name}`);
  const folders = ["apps/web", ...packages, "docs/user"];
  const files = folders.flatMap((folder) => listFiles(inRoot(folder))).filter((file) => !/\.test\.tsx?$/.test(file));
  return fingerprint([inRoot("package-lock.json"), ...files]);
};
