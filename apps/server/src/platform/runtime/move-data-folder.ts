import { createHash } from "node:crypto";
import { createReadStream, existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { chmod, chown, copyFile, lchown, mkdir, open, readdir, rename, rm, symlink, unlink } from "node:fs/promises";
import path from "node:path";
import { StartError } from "./config.ts";
import { containsData } from "./data-folder.ts";
import { withExclusiveLock } from "../postgres/exclusive-lock.ts";
import { findPostmaster } from "../postgres/postmaster.ts";
import { startPostgres } from "../postgres/embedded-postgres.ts";

interface Move {
  from: string;
  to: string;
  log: (line: string) => void;
  /** Only for tests: behaves as across file systems. */
  copies?: boolean;
}

/** The name of the file in a finished copy which states that the source may be deleted. */
const markerName = ".copied-from";

/**
 * Moves the data of an earlier version out of the checkout, once. If it is killed, the data is complete in one of the
 * two folders, and the next start continues. Of processes that start at once one moves and the others wait.
 */
export async function moveDataFolder(move: Move): Promise<void> {
  const { from, to } = move;
  if (!existsSync(from) && !existsSync(formerFolderAside(from)) && !existsSync(path.join(to, markerName))) return;
  if (!containsData(from) && !existsSync(formerFolderAside(from)) && !existsSync(path.join(to, markerName))) return;
  try {
    mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw moveError(move, (error as NodeJS.ErrnoException).code ?? "");
  }
  await withExclusiveLock(`${to}.move.lock`, async () => {
    try {
      await moveLocked(move);
    } catch (error) {
      throw error instanceof StartError ? error : moveError(move, (error as Error).message);
    }
  });
}

const moveError = ({ from, to }: Move, reason: string): StartError =>
  new StartError(
    `The data in ${from} cannot be moved to ${to}: ${reason}. Nothing is lost; set DATA_DIR=${from} to go on there.`,
  );
/** The former folder waits here to be removed once its data has been copied. */
const formerFolderAside = (from: string): string => path.join(path.dirname(from), ".arcada-data-moved");

async function moveLocked(move: Move): Promise<void> {
  const { from, to, log } = move;
  if (existsSync(path.join(to, markerName))) await finishCopy(move);
  await rm(formerFolderAside(from), { recursive: true, force: true });
  if (!containsData(from)) return;
  if (existsSync(to) && realpathSync(to) === realpathSync(from)) return unlink(from);
  if (containsData(to))
    throw new StartError(
      `Both ${from} and ${to} hold data. Set DATA_DIR to the one that counts, or move the other away.`,
    );
  if (lstatSync(from).isSymbolicLink()) return adoptLink(move);
  // A volume that is mounted here would be copied into a folder that may not last.
  if (statSync(from).dev !== statSync(path.dirname(from)).dev)
    throw new StartError(`${from} is a mounted volume. Set DATA_DIR=${from} to keep it there.`);
  await requireUnused(from);
  if (!(move.copies ? false : await tryRename(from, to))) {
    log(`Copying data from ${from} to ${to} …`);
    await copyAside(move);
    await finishCopy(move);
    await rm(formerFolderAside(from), { recursive: true, force: true });
  }
  log(`Data moved from ${from} to ${to}, out of the checkout.`);
}

/** The user chose that place by a link: the data stays there. */
async function adoptLink({ from, to, log }: Move): Promise<void> {
  await symlink(realpathSync(from), to);
  await unlink(from);
  log(`Data stays in ${realpathSync(to)}; ${to} leads there.`);
}

/** Ends a database that a killed server left behind. One that is in use stays, and so does the data. */
async function requireUnused(from: string): Promise<void> {
  const folder = path.join(from, "postgres");
  if (findPostmaster(folder)) await (await startPostgres({ folder })).stop();
  const running = findPostmaster(folder);
  if (running)
    throw new StartError(
      `Another Arcada uses the data in ${from} (its database is process ${running.pid}): stop it, then start again.`,
    );
}

/** Renames the folder; false across file systems. */
async function tryRename(from: string, to: string): Promise<boolean> {
  // An empty folder that was made in advance would be in the way.
  if (existsSync(to)) await rename(to, `${to}.empty-${process.pid}`);
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EXDEV") return false;
    throw error;
  }
  await syncFolder(path.dirname(to));
  await syncFolder(path.dirname(from));
  return true;
}

/** Makes a whole copy, compares it, and renames it last. */
async function copyAside({ from, to }: Move): Promise<void> {
  const draft = `${to}.copy`;
  await rm(draft, { recursive: true, force: true });
  await copyTree(from, draft);
  if (!(await isSame(from, draft))) throw new Error("the copy differs");
  await writeSynced(path.join(draft, markerName), `${from}\n`);
  await syncFolder(draft);
  if (existsSync(to)) await rename(to, `${to}.empty-${process.pid}`);
  await rename(draft, to);
  await syncFolder(path.dirname(to));
}

/** The copy has its final name: the source is deleted, unless someone has written there since. */
async function finishCopy({ from, to }: Move): Promise<void> {
  if (existsSync(from)) {
    await requireUnused(from);
    if (!(await isSame(from, to)))
      throw new StartError(
        `${to} is a copy of ${from}, which was changed afterwards. Delete the one that does not count, or set DATA_DIR.`,
      );
    await rm(formerFolderAside(from), { recursive: true, force: true });
    await rename(from, formerFolderAside(from));
    await syncFolder(path.dirname(from));
  }
  await rm(path.join(to, markerName), { force: true });
  await syncFolder(to);
}

async function copyTree(from: string, to: string): Promise<void> {
  const { mode, uid, gid } = lstatSync(from);
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isSymbolicLink()) await symlink(readlinkSync(source), target);
    else if (entry.isFile()) await copyOne(source, target);
  }
  await restoreOwner(to, uid, gid);
  await chmod(to, mode & 0o7777);
  await syncFolder(to);
}

async function copyOne(source: string, target: string): Promise<void> {
  const { mode, uid, gid } = lstatSync(source);
  await copyFile(source, target);
  await restoreOwner(target, uid, gid);
  await chmod(target, mode & 0o7777);
  const handle = await open(target, "r");
  await handle.sync().finally(() => handle.close());
}
/** Under root the files of the database belong to another user. */
const restoreOwner = async (file: string, uid: number, gid: number): Promise<void> => {
  if (process.getuid?.() !== 0) return;
  await (lstatSync(file).isSymbolicLink() ? lchown(file, uid, gid) : chown(file, uid, gid));
};

async function isSame(one: string, other: string): Promise<boolean> {
  const [names, others] = [await listNames(one), await listNames(other)];
  if (names.join("\0") !== others.join("\0")) return false;
  for (const name of names) {
    const [a, b] = [path.join(one, name), path.join(other, name)];
    const [first, second] = [lstatSync(a), lstatSync(b)];
    if (first.isDirectory() !== second.isDirectory()) return false;
    if (first.isDirectory() && !(await isSame(a, b))) return false;
    if (first.isFile() && (first.size !== second.size || (await hashFile(a)) !== (await hashFile(b)))) return false;
  }
  return true;
}
const listNames = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.name !== markerName && (entry.isFile() || entry.isDirectory() || entry.isSymbolicLink()))
    .map(({ name }) => name)
    .toSorted();

async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
