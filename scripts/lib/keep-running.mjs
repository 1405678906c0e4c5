import { setTimeout as sleep } from "node:timers/promises";
import { isStopping } from "./child-process.mjs";

// sysexits.h, EX_CONFIG: the server exits with it if only a person can fix the cause.
const misconfigured = 78;
const restartRules = { firstPauseMs: 1000, longestPauseMs: 30_000, quickMs: 20_000, quickDeaths: 6 };

/**
 * Restarts the server when it dies, after a pause that doubles with each death shortly after a start. Returns its exit
 * code when it ended normally, was stopped, cannot start with its configuration, or has died too often in a row.
 */
export async function keepRunning(run, { rules = restartRules, isEnding = isStopping, say = sayAloud } = {}) {
  for (let quick = 0; ;) {
    const began = Date.now();
    const code = await run();
    if (code === 0 || code === misconfigured || isEnding()) return code;
    quick = Date.now() - began < rules.quickMs ? quick + 1 : 1;
    if (quick >= rules.quickDeaths) {
      say(
        `The server died ${quick} times in a row shortly after its start; the reason stands above. It is not started again. 服务器连续崩溃，不再重启。`,
      );
      return code;
    }
    const pause = Math.min(rules.firstPauseMs * 2 ** (quick - 1), rules.longestPauseMs);
    say(`The server died (exit code ${code}) and is started again in ${pause / 1000} s. 服务器意外退出，即将重启。`);
    for (const end = Date.now() + pause; Date.now() < end && !isEnding();) await sleep(Math.min(100, pause));
    if (isEnding()) return code;
  }
}

const sayAloud = (line) => process.stderr.write(`\nArcada: ${line}\n`);
