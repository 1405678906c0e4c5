import { spawn } from "node:child_process";
import { constants } from "node:os";
import { root } from "./paths.mjs";

const followParentUrl = new URL("./follow-parent.mjs", import.meta.url).href;
const children = new Set();
let stopRequests = 0;

/**
 * Runs a program under this Node and answers with its exit code. It gets the signals that we get, ends when we end, and
 * we end when our own parent does: npm's shell passes no signals on.
 */
export function runChild(runtime, options, { env, cwd = root }) {
  listenForSignals();
  return new Promise((resolve, reject) => {
    const child = spawn(runtime, ["--import", followParentUrl, ...options], { cwd, stdio: "inherit", env });
    children.add(child);
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      children.delete(child);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/** True if we received a signal to stop. No further step is started then. */
export const isStopping = () => stopRequests > 0;

export function stopChildren(signal) {
  for (const child of children) child.kill(signal);
}

let isListening = false;
function listenForSignals() {
  if (isListening) return;
  isListening = true;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(signal));
  const parent = process.ppid;
  const parentCheck = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(parentCheck);
    stop("SIGTERM");
  }, 300);
  parentCheck.unref();
}

function stop(signal) {
  stopRequests += 1;
  // Ctrl-C in a terminal reaches the whole group: passed on as well it would arrive twice, which means "at once".
  if (signal !== "SIGINT" || !process.stdin.isTTY) stopChildren(signal);
  if (stopRequests === 1) setTimeout(() => stopChildren("SIGKILL"), 60_000).unref();
}
