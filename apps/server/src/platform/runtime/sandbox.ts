import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { mkdtemp, open, readFile, rm, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Isolation } from "@arcada/contract/operator/health.calls";
import { logEvent } from "../telemetry/log.ts";

/** A script that works on untrusted bytes, and everything that it needs to read for that. */
export interface SandboxedProgram {
  script: URL;
  /** Folders and files of this checkout. */
  sources: readonly URL[];
  /** Names of packages; their own dependencies are found from there. */
  packages: readonly string[];
  /** A message that the script answers with anything but `false` if everything it needs could be loaded. */
  probe: unknown;
}
export interface Sandbox {
  child: ChildProcess;
  /** Returns the bytes that the child holds in memory; null if the system does not report them. */
  memory: () => Promise<number | null>;
  /** Ends the child and removes its folder. */
  close: () => Promise<void>;
}
interface SandboxOptions {
  /** Files that the child may read, by descriptors from `firstFileDescriptor` on: it does not know their paths. */
  files: readonly string[];
  cpuSeconds: number;
  /** Set only by tests. Default: the closest isolation that works. */
  isolation?: Isolation;
}
export const firstFileDescriptor = 4;

/**
 * Starts a program in the closest confinement that this system permits: an empty working directory, none of this
 * process's environment, no write access, limits of the system, and no files except code and those that it receives. It
 * communicates by messages.
 */
export async function openSandbox(program: SandboxedProgram, options: SandboxOptions): Promise<Sandbox> {
  return startSandbox(program, options, options.isolation ?? (await findIsolation(program)));
}

let workingIsolation: Promise<Isolation> | undefined;
/** Returns the confinement that works here, tried once with the program itself. */
export const findIsolation = (program: SandboxedProgram): Promise<Isolation> =>
  (workingIsolation ??= findWorkingIsolation(program));
/** Null: nothing was confined yet. */
export const currentIsolation = async (): Promise<Isolation | null> => (await workingIsolation) ?? null;

async function findWorkingIsolation(program: SandboxedProgram): Promise<Isolation> {
  const wanted = process.platform === "linux" ? (["namespace", ...(isRoot() ? (["user"] as const) : [])] as const) : [];
  for (const isolation of wanted) if (await tryIsolation(program, isolation)) return isolation;
  const message = "engines run without a namespace: unshare (util-linux) and user namespaces are needed for that";
  logEvent("warn", "engine sandbox", message);
  return "permission";
}

const probeMs = 30_000;
async function tryIsolation(program: SandboxedProgram, isolation: Isolation): Promise<boolean> {
  const sandbox = await startSandbox(program, { files: [], cpuSeconds: 30 }, isolation);
  const stop = new AbortController();
  try {
    return await Promise.race([
      new Promise<boolean>((resolve) => {
        sandbox.child.once("message", (answer) => resolve(answer !== false));
        sandbox.child.once("exit", () => resolve(false));
        sandbox.child.once("error", () => resolve(false));
        sandbox.child.send(Object(program.probe) as object, () => {});
      }),
      delay(probeMs, false, { signal: stop.signal }),
    ]);
  } finally {
    stop.abort();
    await sandbox.close();
  }
}

async function startSandbox(
  program: SandboxedProgram,
  { files, cpuSeconds }: SandboxOptions,
  isolation: Isolation,
): Promise<Sandbox> {
  const folder = await mkdtemp(path.join(tmpdir(), "arcada-sandbox-"));
  const handles: FileHandle[] = [];
  try {
    for (const file of files) handles.push(await open(file, "r"));
    const limits = { cpuSeconds, files: 64 + files.length };
    const [command = "", ...rest] = buildCommand(isolation, { folder, limits, program });
    const child = spawn(command, rest, {
      cwd: folder,
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc", ...handles.map(({ fd }) => fd)],
      env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, NODE_NO_WARNINGS: "1", ...inMemory },
    });
    const ended = new Promise<void>((resolve) => {
      child.once("exit", () => resolve());
      child.once("error", () => resolve());
    });
    return {
      child,
      memory: () => readMemory(child.pid),
      close: async () => {
        await end(child, ended);
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  } finally {
    for (const handle of handles) await handle.close();
  }
}

/** Otherwise libvips would write large images to files. */
const inMemory = { VIPS_DISC_THRESHOLD: "64g" };
const isRoot = (): boolean => process.getuid?.() === 0;
const nobody = 65_534;

interface CommandOptions {
  folder: string;
  limits: { cpuSeconds: number; files: number };
  program: SandboxedProgram;
}
function buildCommand(isolation: Isolation, { folder, limits, program }: CommandOptions): string[] {
  const sources = program.sources.map((url) => fileURLToPath(url));
  const { folders, roots } = findPackages(program.packages);
  const readable = [...sources, ...folders];
  // Native code is restricted only by the system, JavaScript by Node's permissions as well.
  const node = [
    process.execPath,
    "--permission",
    "--allow-addons",
    ...readable.map((one) => `--allow-fs-read=${one}`),
    fileURLToPath(program.script),
  ];
  if (process.platform === "win32") return node;
  const { cpuSeconds, files } = limits;
  const limit = ["sh", "-c", limitScript, "sh", String(cpuSeconds), String(files)];
  if (isolation === "permission") return [...limit, ...node];
  if (isolation === "user")
    return [...limit, "setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "--no-new-privs", ...node];
  // Packages are found by links in these folders, which contain only third-party code.
  const packages = [...roots, ...folders.filter((one) => !roots.some((root) => one.startsWith(root + path.sep)))];
  const mounts = [...systemFolders.filter((one) => existsSync(one)), process.execPath, ...sources, ...packages];
  const unshared = ["--user", "--map-root-user", "--mount", "--net", "--ipc", "--uts"];
  const mountCommand = ["sh", "-c", mountScript, "sh", folder, ...new Set(mounts), "--"];
  const inside = ["--user", `--map-user=${nobody}`, `--map-group=${nobody}`, "--pid", "--fork", "--kill-child=SIGKILL"];
  const dropPrivileges = [
    "setpriv",
    "--no-new-privs",
    "unshare",
    ...inside,
    `--root=${folder}`,
    `--wd=${emptyFolder}`,
    "--",
  ];
  return ["unshare", ...unshared, "--", ...mountCommand, ...limit, ...dropPrivileges, ...node];
}

const limitScript = 'ulimit -c 0; ulimit -f 0; ulimit -t "$1"; ulimit -n "$2"; shift 2; exec "$@"';
/** The folders of the system libraries with which the runtime and Node are linked. */
const systemFolders = ["/lib", "/lib64", "/usr/lib", "/usr/lib64"];
const emptyFolder = "/.arcada-empty";
// Builds a new root of only the named paths, each of them read-only. Flags that the system has set on a mount of its
// own must be repeated, or the kernel refuses to change it.
const mountScript = `set -e
root=$1; shift
readonly_mount() {
  for more in "" ,nosuid,nodev ,nosuid,nodev,noexec ,nosuid,nodev,noatime ,noatime; do
    mount -o "remount,bind,ro$more" "$1" && return 0
  done
  return 1
}
mount -t tmpfs -o mode=0755,nosuid,nodev,size=1m arcada "$root"
while [ "$1" != -- ]; do
  if [ -L "$1" ]; then
    mkdir -p "$root\${1%/*}"; ln -s "$(readlink "$1")" "$root$1"
  else
    if [ -d "$1" ]; then mkdir -p "$root$1"; else mkdir -p "$root\${1%/*}"; : > "$root$1"; fi
    mount --rbind "$1" "$root$1"; readonly_mount "$root$1"
  fi
  shift
done
shift
mkdir "$root${emptyFolder}"
mount -o remount,ro,nosuid,nodev "$root"
exec "$@"`;

let known: { names: string; folders: string[]; roots: string[] } | undefined;
/** Returns the folders of these packages and of all their dependencies, and the `node_modules` that lead there. */
function findPackages(names: readonly string[]): { folders: string[]; roots: string[] } {
  if (known?.names === names.join()) return known;
  const [folders, roots] = [new Set<string>(), new Set<string>()];
  const wanted = names.map((name) => ({ name, from: import.meta.dirname }));
  for (let next = wanted.pop(); next; next = wanted.pop()) {
    const root = findPackageRoot(next.name, next.from);
    const folder = root && realpathSync(path.join(root, next.name));
    if (root === null || folder === null || folders.has(folder)) continue;
    // A package of this checkout is read by the link as well as by the folder behind it.
    folders.add(folder).add(path.join(root, next.name));
    roots.add(root);
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) wanted.push({ name, from: folder });
  }
  const outermost = [...roots].filter((one) => ![...roots].some((other) => one.startsWith(other + path.sep)));
  known = { names: names.join(), folders: [...folders], roots: outermost };
  return known;
}
/** Looks at the disk each time: an operator may have installed a package since the start. */
export const isPackageInstalled = (name: string): boolean => findPackageRoot(name, import.meta.dirname) !== null;

/** Returns the folder of a package; null for an optional one that was made for another system. */
function findPackageRoot(name: string, from: string): string | null {
  for (let at = from; ; at = path.dirname(at)) {
    const root = path.join(at, "node_modules");
    if (existsSync(path.join(root, name, "package.json"))) return root;
    if (at === path.dirname(at)) return null;
  }
}
type Manifest = Partial<Record<"dependencies" | "optionalDependencies", Record<string, string>>>;
const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as Manifest;

/** In a namespace the started process waits for the one that works. */
const readChildren = async (pid: number): Promise<number[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "")).split(" ").filter(Boolean).map(Number);

async function readMemory(pid: number | undefined): Promise<number | null> {
  if (pid === undefined) return null;
  const sizes = await Promise.all([pid, ...(await readChildren(pid))].map(readResident));
  return sizes.every((size) => size === null) ? null : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}
async function readResident(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => null);
  return status === null ? null : 1024 * Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0);
}

const exitGraceMs = 500;
/** Ends the working process first, so that the one that waits for it leaves no zombie behind. */
async function end(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    for (const pid of await readChildren(child.pid)) kill(pid);
    if ((await readChildren(child.pid)).length > 0) await Promise.race([ended, delay(exitGraceMs)]);
    child.kill("SIGKILL");
  }
  await ended;
}
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
