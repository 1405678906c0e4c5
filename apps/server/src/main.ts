import { setTimeout as sleep } from "node:timers/promises";
import { externalDatabase } from "./platform/database/external-database.ts";
import { servesRequests, readConfig, StartError, runsJobs } from "./platform/runtime/config.ts";
import type { Config } from "./platform/runtime/config.ts";
import { lowerProcessPriority } from "./platform/runtime/thread-priority.ts";
import { version } from "./platform/runtime/version.ts";
import { redactError } from "./platform/telemetry/redact-error.ts";
import { logEvent } from "./platform/telemetry/log.ts";
import { prepareDataFolder, startDatabase } from "./start-database.ts";
import type { StartedDatabase } from "./start-database.ts";
import type { RunningServer } from "./start.ts";

// The demo data are outside this package and are loaded only if they are wanted.
const demoModule = new URL("../../../demo/seed.ts", import.meta.url).href;

/** sysexits.h: EX_CONFIG, the operator must correct the configuration; and EX_SOFTWARE, a restart may help. */
const exitCodes = { misconfigured: 78, broken: 70 } as const;
/** After an error at an unknown place, the process is not trusted for longer than this. */
const exitTimeoutMs = 5000;
/** A database that is being started must come up before it can be stopped, on a slow disk after a crash as well. */
const databaseTimeoutMs = 60_000;

let stop = async (): Promise<void> => {};
for (const event of ["uncaughtException", "unhandledRejection"] as const)
  process.once(event, (error: unknown) => {
    const { type, message, stack } = redactError(error instanceof Error ? error : new Error(String(error)));
    logEvent("fatal", event, message, { type, stack });
    setTimeout(() => process.exit(exitCodes.broken), exitTimeoutMs).unref();
    void stop().finally(() => process.exit(exitCodes.broken));
  });

try {
  const config = readConfig();
  // The database starts while most modules are loaded. An error of its start is thrown where it is awaited.
  const launch = Promise.withResolvers<void>();
  const starting = prepareDataFolder(config).then(() => startDatabase(config, launch.resolve));
  starting.catch(() => {});
  stop = async () => (await starting).stop();
  // Loading them leaves no moment for it until they are loaded, so the database must be on its way by then.
  await Promise.race([launch.promise, starting.catch(() => {})]);
  await run(config, starting);
} catch (error) {
  const isConfigurationError = error instanceof StartError;
  process.stderr.write(
    `\nArcada: ${isConfigurationError ? error.message : `could not start: ${String((error as Error).stack)}`}\n\n`,
  );
  await Promise.race([stop().catch(() => {}), sleep(databaseTimeoutMs)]);
  process.exit(isConfigurationError ? exitCodes.misconfigured : 1);
}

async function run(config: Config, starting: Promise<StartedDatabase>): Promise<void> {
  process.stdout.write(`\nArcada ${version}, role ${config.ARCADA_ROLE}, Node ${process.versions.node}\n`);
  // Beside a process that answers requests, jobs come second. An embedded database would inherit the priority from the
  // process that starts it, and serve all others with it.
  if (config.ARCADA_ROLE === "worker" && externalDatabase(config)) lowerProcessPriority();
  const { start } = await import("./start.ts");
  const { announce, announceSetup, describeClosedDemo } = await import("./announce-start.ts");
  const running = await start(config, { starting });
  let stopping: Promise<void> | undefined;
  stop = () => (stopping ??= running.stop());
  const end = () => void stop().then(() => process.exit(0));
  process.once("SIGINT", end).once("SIGTERM", end).once("SIGHUP", end);
  const demo = config.ARCADA_DEMO && servesRequests(config) ? ((await import(demoModule)) as DemoModule) : null;
  await demo?.seedAccounts(running);
  if (running.demoClosed.length > 0) process.stdout.write(`\n${describeClosedDemo(running.demoClosed)}\n`);
  if (running.address && !config.ARCADA_DEMO) await announceSetup(config, running);
  if (running.address) announce(config, config.PUBLIC_URL ?? running.address, demo !== null);
  else if (runsJobs(config)) process.stdout.write("\nArcada is ready: it works on jobs and answers no requests.\n\n");
  else process.stdout.write("\nArcada is ready: it answers no requests.\n\n");
  if (running.dicomPort !== null)
    process.stdout.write(`Devices send to ${config.DICOM_AE_TITLE} at port ${running.dicomPort}.\n\n`);
  if (running.hl7Port !== null) process.stdout.write(`Systems send HL7 at port ${running.hl7Port}.\n\n`);
  // Seeding that was interrupted continues at the next start.
  if (!config.demoCases) return;
  await demo?.seedCases(running).catch((error: unknown) => {
    if (!stopping) process.stderr.write(`The demo world is not complete: ${String(error)}\n`);
  });
}

interface DemoModule {
  seedAccounts(running: RunningServer): Promise<void>;
  seedCases(running: RunningServer): Promise<void>;
}
