import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const inRoot = (...parts) => path.join(root, ...parts);
export const inBuild = (...parts) => path.join(root, ".build", ...parts);
export const readText = (file) => (existsSync(file) ? readFileSync(file, "utf8") : "");

/** Returns an error whose message is all that a user needs to read. */
export const createUserError = (userMessage) => Object.assign(new Error(userMessage), { userMessage });

/** A fingerprint of files, by name and content. */
export function fingerprint(files) {
  const hash = createHash("sha256");
  for (const file of [...files].sort())
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  return hash.digest("hex");
}

/** All files below a folder, without what was installed or built there. */
export function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (["node_modules", "dist", ".build"].includes(entry.name)) return [];
    const full = path.join(folder, entry.name);
    return entry.isDirectory() ? listFiles(full) : [full];
  });
}

/** Runs the work for one command at a time. The lock of a dead command is taken over. */
export async function runExclusively(name, work) {
  mkdirSync(inBuild(), { recursive: true });
  const lock = inBuild(`${name}.lock`);
  for (let hasReported = false; !acquireLock(lock); await sleep(200)) {
    const holderPid = Number(readText(lock));
    if (holderPid && !isAlive(holderPid)) rmSync(lock, { force: true });
    else if (!hasReported)
      hasReported = Boolean(process.stdout.write(`Waiting for another command (process ${holderPid}) …\n`));
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function acquireLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw createUserError(`${path.dirname(lock)} cannot be written (${error.code}). 无法写入该文件夹。`);
  }
}

function isAlive(pid) {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
