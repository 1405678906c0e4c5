import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { runChild } from "./child-process.mjs";
import { alone, failure, filesIn, fingerprint, inBuild, inRoot, readText } from "./paths.mjs";
import { environmentFor, programOf } from "./node-runtime.mjs";

/** Builds the web application into apps/web/dist when it is missing or its sources have changed. */
export async function buildWeb(runtime) {
  if (isFresh()) return;
  await alone("web", async () => {
    if (isFresh()) return;
    process.stdout.write("Building the web application … 正在构建网页……\n");
    const sources = wanted();
    // Built in a separate folder and then exchanged, so that a running server never sees partial files.
    const draft = inBuild("web-draft");
    const options = [
      programOf("vite"),
      "build",
      inRoot("apps/web"),
      "--outDir",
      draft,
      "--emptyOutDir",
      "--logLevel",
      "warn",
    ];
    const code = await runChild(runtime, options, { env: environmentFor(runtime, { NODE_ENV: "production" }) });
    if (code !== 0) throw failure("The web application could not be built; the reason stands above. 网页构建失败。");
    rmSync(inBuild("web-old"), { recursive: true, force: true });
    if (existsSync(dist)) renameSync(dist, inBuild("web-old"));
    renameSync(draft, dist);
    writeFileSync(stampFile, sources);
  });
}

const dist = inRoot("apps/web/dist");
const stampFile = inBuild("web.stamp");
const isFresh = () => existsSync(inRoot("apps/web/dist/index.html")) && readText(stampFile) === wanted();
const wanted = () => {
  const folders = ["apps/web", "packages/contract", "packages/texts", "packages/imaging", "packages/analysis"];
  const files = folders.flatMap((folder) => filesIn(inRoot(folder))).filter((file) => !/\.test\.tsx?$/.test(file));
  return fingerprint([inRoot("package-lock.json"), ...files]);
};
