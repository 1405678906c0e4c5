import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { roundSeconds } from "./figure-table.ts";
import { peerEnvironment } from "./peer-environment.ts";

const run = promisify(execFile);
const connections = 8;
const autocannon = fileURLToPath(import.meta.resolve("autocannon"));
/** A load generator written in JavaScript takes more of the machine than a server that only sends a file. */
export const loadProgram = spawnSync("which", ["wrk"]).status === 0 ? "wrk" : "autocannon";

/** The limit in seconds for a peer that has not answered by the end of a round. */
const longestSeconds = 60;

/** Returns the answered requests per second over eight connections, for one round; throws if one is rejected. */
export async function measureLoad(
  url: string,
  headers: Record<string, string>,
  seconds = roundSeconds,
): Promise<number> {
  const seen = await (loadProgram === "wrk" ? runWrk : runAutocannon)(url, headers, seconds);
  if (seen.failed > 0) throw new Error(`${url}: ${seen.failed} requests failed`);
  return seen.perSecond === 0 && seconds < longestSeconds ? measureLoad(url, headers, longestSeconds) : seen.perSecond;
}

async function runWrk(url: string, headers: Record<string, string>, seconds: number) {
  const options = ["-t", "1", "-c", String(connections), "-d", `${seconds}s`, "--timeout", "60s"];
  const given = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const { stdout } = await run("wrk", [...options, ...given, url], { env: peerEnvironment() });
  const numbers = (pattern: RegExp): number[] => (pattern.exec(stdout)?.slice(1) ?? []).map(Number);
  const failed = [
    ...numbers(/Non-2xx or 3xx responses: (\d+)/),
    ...numbers(/Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/),
  ];
  const [perSecond = 0] = numbers(/Requests\/sec:\s+([\d.]+)/);
  return { perSecond, failed: failed.reduce((sum, one) => sum + one, 0) };
}

async function runAutocannon(url: string, headers: Record<string, string>, seconds: number) {
  const given = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}=${value}`]);
  const options = ["-j", "-n", "-c", String(connections), "-d", String(seconds), "-t", "60", ...given, url];
  const { stdout } = await run(process.execPath, [autocannon, ...options], { maxBuffer: 1 << 24 });
  const { requests, non2xx, errors } = JSON.parse(stdout) as {
    requests: { average: number };
    non2xx: number;
    errors: number;
  };
  return { perSecond: requests.average, failed: non2xx + errors };
}
