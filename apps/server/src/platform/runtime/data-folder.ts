import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../../../../..");

/** Earlier versions kept the data here, in the checkout, where programs that run in it could read it. */
export const formerDataDir = path.join(root, "data");

/**
 * Returns the data folder to use without DATA_DIR: outside the checkout, and one folder per checkout, because two
 * checkouts of different versions must not share one database. The environment, and whether HOME is a directory of this
 * user, decide; existing data does not, so that no empty folder elsewhere replaces one that is not mounted.
 */
export function defaultDataDir(
  environment: NodeJS.ProcessEnv,
  checkout = root,
  uid: number | undefined = process.getuid?.(),
): string {
  const real = existsSync(checkout) ? realpathSync(checkout) : checkout;
  const suffix = createHash("sha256").update(real).digest("hex").slice(0, 8);
  const name = `${path
    .basename(real)
    .replace(/[^\w.-]/g, "_")
    .slice(0, 40)}-${suffix}`;
  const bases = [
    environment.XDG_DATA_HOME && path.join(environment.XDG_DATA_HOME, "arcada"),
    uid === 0 ? "/var/lib/arcada" : null,
    isOwnHome(environment.HOME, uid) && path.join(environment.HOME, ".local/share/arcada"),
  ];
  const base = bases.find((one) => one && path.isAbsolute(one) && !isInside(one, real));
  // Without a home folder, as in CI, the data is next to the checkout.
  const folder = path.join(base || path.join(path.dirname(real), "arcada-data"), name);
  if (!base && isUnmounted(environment.HOME, uid)) throw new MissingHomeError(environment.HOME, folder);
  return folder;
}

/**
 * The home folder is configured but not there, as before its volume is mounted. The data may be on it: a start with
 * another folder would begin an empty installation.
 */
export class MissingHomeError extends Error {
  constructor(home: string, otherFolder: string) {
    const other = containsData(otherFolder) ? ` There is data in ${otherFolder}: to go on with it, set DATA_DIR.` : "";
    super(
      `The home folder ${home} (HOME) does not exist or is not mounted, so its data cannot be found. Mount or create it, or set DATA_DIR to the data folder.${other}`,
    );
  }
}

function isOwnHome(home: string | undefined, uid: number | undefined): home is string {
  const found = home ? statSync(home, { throwIfNoEntry: false }) : undefined;
  return found !== undefined && found.isDirectory() && found.uid === (uid ?? found.uid);
}

/** The conventional home of a system user that has none. */
const noHome = "/nonexistent";

/** True for a missing folder, and for the empty folder of another user that a mount point is before the mount. */
function isUnmounted(home: string | undefined, uid: number | undefined): home is string {
  if (!home || home === noHome) return false;
  const found = statSync(home, { throwIfNoEntry: false });
  if (!found) return true;
  return found.isDirectory() && !isOwnHome(home, uid) && isEmptyFolder(home);
}

function isEmptyFolder(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    // A folder that this user may not read is there and is someone else's home.
    return false;
  }
}

const isInside = (folder: string, parent: string): boolean => `${path.resolve(folder)}/`.startsWith(`${parent}/`);

/** True if Arcada keeps something in this folder that must not be lost. */
export const containsData = (folder: string): boolean =>
  ["postgres/PG_VERSION", "secret.key", "files", "uploads"].some((name) => existsSync(path.join(folder, name)));

const markerName = "checkout.txt";

/** Writes the path of the checkout as plain text into its default folder. */
export function markDataFolder(folder: string): void {
  const marker = path.join(folder, markerName);
  if (!existsSync(marker)) writeFileSync(marker, `${realpathSync(root)}\n`, { mode: 0o600 });
}

/**
 * Returns the data folders next to this one whose checkout is missing: a checkout that was moved or renamed gets a new
 * folder.
 */
export function findOrphanedFolders(folder: string): string[] {
  const base = path.dirname(folder);
  if (!existsSync(base)) return [];
  return readdirSync(base)
    .map((name) => path.join(base, name))
    .filter((other) => other !== folder && lstatSync(other).isDirectory() && containsData(other))
    .filter((other) => {
      const marker = path.join(other, markerName);
      return existsSync(marker) && !existsSync(readFileSync(marker, "utf8").trim());
    });
}
