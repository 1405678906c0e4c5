import type pg from "pg";
import { createApp } from "./app.ts";
import { prepareDataFolder, startDatabase } from "./start-database.ts";
import type { StartedDatabase } from "./start-database.ts";
import { closeDemoAccounts } from "./account/close-demo-accounts.ts";
import { listenForDicom } from "./dicom-port.ts";
import { listenForHl7 } from "./hl7-port.ts";
import { startNightlyBackups } from "./platform/backup/nightly-backups.ts";
import { openAuditChain } from "./platform/audit/audit-chain.ts";
import { publishCodeKey } from "./platform/security/verification-code-key.ts";
import { servesRequests, StartError, runsJobs } from "./platform/runtime/config.ts";
import type { Config } from "./platform/runtime/config.ts";
import { requireTenantRole } from "./platform/database/connection-pool.ts";
import { openDatabase } from "./platform/database/database.ts";
import type { Database } from "./platform/database/database.ts";
import { databaseRoutes } from "./platform/database/external-database.ts";
import { addPartitions } from "./platform/database/partitions.ts";
import { registerEmailJobs } from "./platform/mail/email-queue.ts";
import { outboxFolder, usesOutbox } from "./platform/mail/open-mail.ts";
import { removeOutbox } from "./platform/mail/demo-outbox.ts";
import { loadPublicAddress } from "./platform/runtime/public-address.ts";
import { openLive } from "./platform/live/live-notifications.ts";
import { migrate } from "./platform/database/migrate.ts";
import { startWalArchive } from "./platform/wal-archive/ship-wal.ts";
import { files } from "./platform/runtime/services.ts";
import { openServices } from "./platform/runtime/open-services.ts";
import { registerUploadSweeper } from "./platform/upload/remove-stale-uploads.ts";
import type { JobServices } from "./platform/runtime/slice.ts";
import { removeFormerTasks, startRepeatedTasks } from "./platform/jobs/repeated-tasks.ts";
import { watchEventLoopLag } from "./platform/runtime/event-loop-lag.ts";
import { createGaugeReader } from "./platform/telemetry/gauges.ts";
import { openHealthPort } from "./platform/telemetry/health-port.ts";
import type { HealthServices } from "./platform/telemetry/health-routes.ts";
import { startTracing } from "./platform/telemetry/trace-exporter.ts";
import { createKeyTask, listGauges, listRepeatedTasks, slices, subscribeSlices } from "./slices.ts";

export interface RunningServer {
  database: Database;
  connection: pg.PoolConfig;
  /** The path of every route; empty in a worker process. */
  served: ReadonlySet<string>;
  /** The address on which the application listens; null if it serves no requests. */
  address: string | null;
  /** The address of HEALTH_PORT, or null. */
  healthAddress: string | null;
  /** The port to which devices send by DIMSE, or null. */
  dicomPort: number | null;
  /** The port to which systems send HL7, or null. */
  hl7Port: number | null;
  /** Accounts of an earlier demonstration that were suspended, because this start has none. */
  demoClosed: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts everything in order and serves requests and jobs, as the configuration's role requires. The database is the
 * given one, which may still be starting, or is started here. Tests pass the connection to an existing one, and a
 * folder with further migrations.
 */
export async function start(
  config: Config,
  given: { starting?: Promise<StartedDatabase>; connection?: pg.PoolConfig; migrations?: string } = {},
): Promise<RunningServer> {
  const started = await openConnection(config, given);
  const { connection } = started;
  const closing: (() => Promise<unknown>)[] = [() => started.stop()];
  const stop = async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  };
  try {
    closing.push(await startTracing(config));
    await migrate(connection, { folder: given.migrations });
    if (!usesOutbox(config)) await removeOutbox(outboxFolder(config));
    const database = openDatabase(connection, config.DATABASE_POOL, databaseRoutes(config));
    closing.push(() => database.close());
    if (!config.DATABASE_DIRECT_URL) await requireTenantRole(database.pool);
    await addPartitions(database);
    await loadPublicAddress(config, database);
    const { jobs, mail, secret } = await openServices(config, database, connection);
    closing.push(async () => mail.close());
    closing.push(() => jobs.stop());
    subscribeSlices(config);
    const gauges = createGaugeReader(listGauges({ config, database }));
    const health: HealthServices = { config, database, gauges, state: { phase: "starting" } };
    const healthPort = await openHealthPort(health).catch((error: NodeJS.ErrnoException) => {
      throw listenError(error, "HEALTH_PORT", config.HEALTH_PORT);
    });
    if (healthPort) closing.push(() => healthPort.close());
    const stopWatching = watchEventLoopLag();
    closing.push(async () => stopWatching());
    if (runsJobs(config))
      await startJobs({ config, database, jobs, chain: openAuditChain(secret, config.dataDir) }, closing);
    const closesDemo = servesRequests(config) && !config.ARCADA_DEMO;
    const demoClosed = closesDemo ? await closeDemoAccounts(database) : [];
    const receiver = await listenForDicom(config, database);
    if (receiver) closing.push(() => receiver.close());
    const hl7 = await listenForHl7(config, database);
    if (hl7) closing.push(() => hl7.close());
    const server = servesRequests(config) ? await startServer(health, connection, closing) : null;
    // From here on a load balancer must not choose this process, while what runs in it ends.
    closing.push(async () => void (health.state.phase = "stopping"));
    health.state.phase = "running";
    return {
      database,
      connection,
      served: server?.served ?? new Set<string>(),
      address: server?.address ?? null,
      healthAddress: healthPort?.address ?? null,
      dicomPort: receiver?.port ?? null,
      hl7Port: hl7?.port ?? null,
      demoClosed,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openConnection(
  config: Config,
  { starting, connection }: { starting?: Promise<StartedDatabase>; connection?: pg.PoolConfig },
): Promise<StartedDatabase> {
  if (starting) return starting;
  await prepareDataFolder(config);
  return connection ? { connection, stop: async () => {} } : startDatabase(config);
}

async function startJobs(services: JobServices, closing: (() => Promise<unknown>)[]): Promise<void> {
  const { config, database, jobs } = services;
  await registerEmailJobs(jobs, config);
  await registerUploadSweeper(jobs, database);
  const nightly = startNightlyBackups(config, database);
  if (nightly) closing.push(() => nightly.stop());
  const archive = startWalArchive(config, files);
  if (archive) closing.push(() => archive.stop());
  for (const slice of slices) {
    await slice.registerJobs?.(services);
    const background = slice.startBackground?.(services);
    if (background) closing.push(() => background.stop());
  }
  const tasks = listRepeatedTasks(services);
  await removeFormerTasks(
    database,
    [...tasks, createKeyTask(database)].map(({ name }) => name),
  );
  const repeating = await startRepeatedTasks(database, tasks);
  closing.push(() => repeating.stop());
}

async function startServer(health: HealthServices, connection: pg.PoolConfig, closing: (() => Promise<unknown>)[]) {
  const { config, database } = health;
  const live = await openLive(connection);
  closing.push(() => live.close());
  await publishCodeKey(database);
  const publishing = await startRepeatedTasks(database, [createKeyTask(database)]);
  closing.push(() => publishing.stop());
  const served = new Set<string>();
  const app = await createApp({ ...health, live, served });
  closing.push(async () => {
    // Open event streams would block a graceful close for ever.
    app.server.closeIdleConnections();
    setTimeout(() => app.server.closeAllConnections(), 1500).unref();
    await app.close();
  });
  try {
    return { served, address: await app.listen({ host: config.HOST, port: config.PORT }) };
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, "PORT", config.PORT);
  }
}

function listenError(error: NodeJS.ErrnoException, setting: string, port: number | undefined): Error {
  if (error.code === "EADDRINUSE")
    return new StartError(`Port ${port} is in use. Stop the other program or set ${setting} to another number.`);
  if (error.code === "EACCES")
    return new StartError(`Port ${port} may not be opened by this user. Set ${setting} to a number above 1023.`);
  return error;
}
