import { spawn } from "node:child_process";
import { constants } from "node:os";
import { root } from "./paths.mjs";

const follow = new URL("./follow-parent.mjs", import.meta.url).href;
const children = new Set();
let stopping = 0;

/**
 * Runs a program under this Node and answers with its exit code. It gets the signals that we get, ends when we end, and
 * we end when our own parent does: npm's shell passes no signals on.
 */
export function runChild(runtime, options, { env, cwd = root }) {
  watch();
  return new Promise((resolve, reject) => {
    const child = spawn(runtime, ["--import", follow, ...options], { cwd, stdio: "inherit", env });
    children.add(child);
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      children.delete(child);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/** True if we received a signal to stop. No further step is started then. */
export const isStopping = () => stopping > 0;

export function stopChildren(signal) {
  for (const child of children) child.kill(signal);
}

let watching = false;
function watch() {
  if (watching) return;
  watching = true;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(signal));
  const parent = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    stop("SIGTERM");
  }, 300);
  look.unref();
}

function stop(signal) {
  stopping += 1;
  // Ctrl-C in a terminal reaches the whole group: passed on as well it would arrive twice, which means "at once".
  if (signal !== "SIGINT" || !process.stdin.isTTY) stopChildren(signal);
  if (stopping === 1) setTimeout(() => stopChildren("SIGKILL"), 60_000).unref();
}
