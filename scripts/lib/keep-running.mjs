import { setTimeout as sleep } from "node:timers/promises";
import { isStopping } from "./child-process.mjs";

// sysexits.h, EX_CONFIG: the server exits with it if only a person can fix the cause.
const misconfigured = 78;
const restartRules = { firstPauseMs: 1000, longestPauseMs: 30_000, quickDeathMs: 20_000, maxQuickDeaths: 6 };

/**
 * Restarts the server when it dies, after a pause that doubles with each death shortly after a start. Returns its exit
 * code when it ended normally, was stopped, cannot start with its configuration, or has died too often in a row. The
 * program is chosen before each run, because an upgrade may have replaced it; after the first death shortly after a
 * start it is the fallback.
 */
export async function keepRunning(
  run,
  {
    choose = async () => undefined,
    fallback,
    rules = restartRules,
    isEnding = isStopping,
    report = reportToTerminal,
  } = {},
) {
  let hasDiedQuickly = false;
  for (let quickDeaths = 0; ;) {
    const program = hasDiedQuickly ? fallback : await choose();
    if (isEnding()) return 0;
    const startedAt = Date.now();
    const code = await run(program);
    if (code === 0 || code === misconfigured || isEnding()) return code;
    const isQuickDeath = Date.now() - startedAt < rules.quickDeathMs;
    hasDiedQuickly ||= isQuickDeath;
    quickDeaths = isQuickDeath ? quickDeaths + 1 : 1;
    if (quickDeaths >= rules.maxQuickDeaths) {
      report(
        `The server died ${quickDeaths} times in a row shortly after its start; the reason stands above. It is not started again. 服务器连续崩溃，不再重启。`,
      );
      return code;
    }
    const pause = Math.min(rules.firstPauseMs * 2 ** (quickDeaths - 1), rules.longestPauseMs);
    report(`The server died (exit code ${code}) and is started again in ${pause / 1000} s. 服务器意外退出，即将重启。`);
    for (const end = Date.now() + pause; Date.now() < end && !isEnding();) await sleep(Math.min(100, pause));
    if (isEnding()) return code;
  }
}

const reportToTerminal = (line) => process.stderr.write(`\nArcada: ${line}\n`);
