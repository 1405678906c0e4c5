import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { StartError } from "../runtime/config.ts";
import { findBinaries } from "./find-binaries.ts";
import type { Binaries } from "./find-binaries.ts";

/**
 * The user under which PostgreSQL runs: our own, or one reached by one of the ways to drop root, as which it refuses to
 * run.
 */
export interface Launcher {
  mode: "self" | "namespace" | "capability" | "user";
  major: number;
  /** The user id that must own the files so that PostgreSQL, run this way, may read them. */
  owner: number;
  /** Runs a program to its end. */
  run(program: string, options: string[]): { ok: boolean; output: string };
  /** Starts a program that outlives this process; its output is written to the log file. */
  start(program: string, options: string[], log: string): { ended(): boolean };
}

export function findLauncher({ folder, major }: Binaries = findBinaries()): Launcher {
  const method = findLaunchMethod(folder);
  const commandLine = (program: string, options: string[]): [string, string[]] => {
    const [first = "", ...rest] = [...method.prefix, path.join(folder, program), ...options];
    return [first, rest];
  };
  return {
    ...method,
    major,
    run(program, options) {
      const [command, rest] = commandLine(program, options);
      const ended = spawnSync(command, rest, { cwd: "/", env: environment(), encoding: "utf8" });
      return { ok: ended.status === 0, output: `${ended.stderr}${ended.error?.message ?? ""}`.trim() };
    },
    start(program, options, log) {
      const [command, rest] = commandLine(program, options);
      const file = openSync(log, "a", 0o600);
      // A separate session: Ctrl-C in the terminal reaches only this process, which still needs the database for an
      // orderly end.
      const child = spawn(command, rest, {
        cwd: "/",
        env: environment(),
        stdio: ["ignore", file, file],
        detached: true,
      });
      closeSync(file);
      child.on("error", () => {});
      child.unref();
      return { ended: () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined };
    },
  };
}

/** Changes the owner of folder and files if PostgreSQL now runs under another user than when they were made. */
export function changeOwner(launcher: Launcher, place: string): void {
  if (launcher.mode === "self" || statSync(place).uid === launcher.owner) return;
  lchownSync(place, launcher.owner, launcher.owner);
  for (const name of readdirSync(place, { recursive: true, encoding: "utf8" }))
    lchownSync(path.join(place, name), launcher.owner, launcher.owner);
}

/** Prepares the folder of the socket. Only our user may enter it, since everyone who reaches the socket is let in. */
export function prepareSocketFolder(launcher: Launcher, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const owners = [process.getuid?.() ?? 0, launcher.owner, process.getuid?.() === 0 ? nobody : -1];
  if (!found.isDirectory() || !owners.includes(found.uid) || (found.mode & 0o077) !== 0)
    throw new StartError(`${folder} belongs to somebody else: delete it, or set DATABASE_URL.`);
  changeOwner(launcher, folder);
}

export const readLastErrors = (log: string): string => {
  const lines = existsSync(log) ? readFileSync(log, "utf8").slice(-20_000).split("\n") : [];
  const start = lines.findLastIndex((line) => line.includes("starting PostgreSQL"));
  return lines
    .slice(Math.max(start, 0))
    .filter((line) => /FATAL|PANIC|ERROR|DETAIL|HINT|error|denied|No space/.test(line))
    .slice(-4)
    .join("\n");
};

export function shortenLog(log: string): void {
  if (existsSync(log) && statSync(log).size > 10 * 1024 * 1024) rmSync(log);
}

interface LaunchMethod {
  mode: Launcher["mode"];
  owner: number;
  prefix: string[];
}

// initdb needs the name of its user: this one is in every passwd file.
const nobody = 65_534;
const environment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, TZ: "UTC" });

function findLaunchMethod(binaries: string): LaunchMethod {
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0 && hasPasswdEntry()) return { mode: "self", owner: uid, prefix: [] };
  const wanted = process.env.ARCADA_POSTGRES_MODE;
  const methods = (uid === 0 ? rootMethods : [namespaceMethod(uid)]).filter(({ mode }) => !wanted || mode === wanted);
  const method = methods.find(
    ({ prefix: [command = "", ...rest] }) =>
      spawnSync(command, [...rest, path.join(binaries, "initdb"), "--version"], { cwd: "/" }).status === 0,
  );
  if (method) return method;
  throw new StartError(
    uid === 0
      ? "PostgreSQL does not run as root, and neither unshare nor setpriv works here: start Arcada as an ordinary user, or set DATABASE_URL."
      : `PostgreSQL does not run as user ${uid}, who has no name here: add the user to /etc/passwd, or set DATABASE_URL.`,
  );
}

// In its own user namespace the process has another number, yet its files stay ours, and folders that only we may enter
// stay accessible to it.
const namespaceMethod = (owner: number): LaunchMethod => ({
  mode: "namespace",
  owner,
  prefix: ["unshare", "--user", `--map-user=${nobody}`, `--map-group=${nobody}`, "--"],
});
const runAsNobody = ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"];
// If namespaces are forbidden, the user `nobody` may keep the capability to pass closed folders. access(2) ignores that
// capability unless set-uid fixing is off.
const keepCapability = [
  "--securebits=+no_setuid_fixup",
  "--bounding-set=-all,+dac_override,+setpcap",
  "--inh-caps=-all,+dac_override",
  "--ambient-caps=-all,+dac_override",
];
const rootMethods: LaunchMethod[] = [
  namespaceMethod(0),
  { mode: "capability", owner: nobody, prefix: [...runAsNobody, ...keepCapability, "--"] },
  { mode: "user", owner: nobody, prefix: [...runAsNobody, "--"] },
];

/** True if the user of this process has a passwd entry. A user that was given to a container by number has none. */
function hasPasswdEntry(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}
