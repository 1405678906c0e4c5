import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { StartError } from "../runtime/config.ts";
import { changeOwner, type Launcher } from "./unprivileged-launcher.ts";

export interface ClusterPaths {
  /** The cluster's own files. */
  folder: string;
  lock: string;
  log: string;
  socket: string;
}

/** `alone`: the paths of one process that nobody may join. */
export function clusterPaths(given: string, alone = false): ClusterPaths {
  const folder = path.resolve(given);
  const suffix = alone ? ".alone" : "";
  // A socket's path may have only 107 bytes, and data folders have long paths. Another user who starts the same folder
  // gets a socket of their own, so that the error is about the folder and not about the socket.
  const name = createHash("sha256").update(`${process.getuid?.()} ${folder}${suffix}`).digest("hex").slice(0, 12);
  return {
    folder,
    lock: `${folder}${suffix}.lock`,
    log: `${folder}.log`,
    socket: path.join("/tmp", `arcada-pg-${name}`),
  };
}

export function prepareFolder(paths: ClusterPaths): void {
  try {
    mkdirSync(path.dirname(paths.folder), { recursive: true });
    const probe = mkdtempSync(`${paths.folder}.probe-`);
    rmSync(probe, { recursive: true });
  } catch (error) {
    throw folderError(paths.folder, (error as Error).message);
  }
}

/** Makes the cluster if the folder has none. It gets its name only when it is complete. */
export function makeCluster(paths: ClusterPaths, launcher: Launcher): boolean {
  if (existsSync(path.join(paths.folder, "PG_VERSION"))) {
    checkVersion(paths.folder, launcher.major);
    return false;
  }
  const draft = mkdtempSync(`${paths.folder}.new-`);
  try {
    changeOwner(launcher, draft);
    const result = launcher.run("initdb", initOptions(draft, launcher.major));
    if (!result.ok) throw folderError(paths.folder, result.output);
    // The socket's folder is closed to others, so only our own user reaches the socket; there is no access by network
    // at all.
    writeFileSync(path.join(draft, "pg_hba.conf"), "local all all trust\n");
    renameSync(draft, paths.folder);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? ""))
      throw new StartError(
        `${paths.folder} holds something else than a database: empty it, or choose another DATA_DIR.`,
      );
    throw error instanceof StartError ? error : folderError(paths.folder, (error as Error).message);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

export function folderError(folder: string, reason: string): StartError {
  if (/ENOSPC|No space left|[Cc]heck free disk space/.test(reason))
    return new StartError(`The disk of the data folder ${folder} is full: make room and start again.`);
  if (/EACCES|EPERM|EROFS|ENOTDIR|EEXIST|Permission denied|Read-only file system/.test(reason))
    return new StartError(
      `The data folder ${folder} cannot be written: give its owner write access, or choose another DATA_DIR.`,
    );
  return new StartError(`The database in ${folder} did not start: ${reason}`);
}

export const clusterOwner = "arcada_owner";

function initOptions(folder: string, major: number): string[] {
  // pg_trgm uses the C library's idea of a letter: under plain "C" no Chinese character is one, and such searches use
  // no index. The built-in provider (17 and later) keeps the order of text the same on every machine.
  const locale = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
  const provider = major >= 17 ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] : [];
  return [
    "-D",
    folder,
    "-U",
    clusterOwner,
    "-A",
    "trust",
    "-E",
    "UTF8",
    `--locale=${locale}`,
    ...provider,
    "--data-checksums",
    "--no-instructions",
  ];
}

function checkVersion(folder: string, major: number): void {
  const made = readMajor(folder);
  if (made === major || made === null) return;
  throw new StartError(
    made < major
      ? `The database in ${folder} is one of PostgreSQL ${made}, and this version of Arcada uses PostgreSQL ${major}: stop Arcada and run admin upgrade-postgres. docs/operator/upgrade.md describes it.`
      : `The database in ${folder} is one of PostgreSQL ${made}, and this version of Arcada uses PostgreSQL ${major}: start the version of Arcada that was used last, or a later one.`,
  );
}

/** Returns the major version of PostgreSQL that made a cluster; null: there is none in this folder. */
export function readMajor(folder: string): number | null {
  const file = path.join(folder, "PG_VERSION");
  return existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : null;
}
