import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { createUserError, inRoot } from "./paths.mjs";

const requiredMajor = 24;

/**
 * Returns the Node that runs the product: the one that npm installed with it, else the running one if it is new enough.
 */
export function findRuntime() {
  const platform = process.platform === "win32" ? "win" : process.platform;
  // npm 10 creates no .bin link for this package, so use the program's path.
  const program = process.platform === "win32" ? "bin/node.exe" : "bin/node";
  const installed = inRoot("node_modules", `node-${platform}-${process.arch}`, program);
  // It is installed but does not run if the C library is another (Alpine).
  if (existsSync(installed) && spawnSync(installed, ["--version"], { stdio: "ignore" }).status === 0) return installed;
  if (Number(process.versions.node.split(".")[0]) >= requiredMajor) return process.execPath;
  throw createUserError(
    `Arcada needs Node ${requiredMajor} on ${process.platform}-${process.arch} (this is ${process.version}): install it and start again. 请安装 Node ${requiredMajor}。`,
  );
}

/** Returns the environment of started programs: this Node, and the installed programs, come first in the PATH. */
export function createEnvironment(runtime, overrides = {}) {
  const folders = [path.dirname(runtime), inRoot("node_modules/.bin"), process.env.PATH ?? ""];
  return { ...process.env, ...overrides, PATH: folders.join(path.delimiter) };
}

/** Returns the script of an installed program by its name in node_modules/.bin. */
export function findProgram(name) {
  const link = inRoot("node_modules/.bin", name);
  if (!existsSync(link)) throw createUserError(`There is no program named ${name} in node_modules/.bin.`);
  return link;
}
