import { mkdirSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import { createApp } from "./app.ts";
import { closeDemoAccounts } from "./account/close-demo-accounts.ts";
import { listenForDicom } from "./dicom-port.ts";
import { deleteOldResponses } from "./platform/http/idempotency.ts";
import { isExchanging } from "./platform/backup/exchange-folders.ts";
import { startNightlyBackups } from "./platform/backup/nightly-backups.ts";
import { openAuditChain } from "./platform/audit/audit-chain.ts";
import { codeKeyEveryMs, publishCodeKey } from "./platform/security/verification-code-key.ts";
import { servesRequests, StartError, runsJobs } from "./platform/runtime/config.ts";
import type { Config } from "./platform/runtime/config.ts";
import { formerDataDir, containsData, findOrphanedFolders, markDataFolder } from "./platform/runtime/data-folder.ts";
import { moveDataFolder } from "./platform/runtime/move-data-folder.ts";
import { openDatabase } from "./platform/database/database.ts";
import type { Database } from "./platform/database/database.ts";
import { registerEmailJobs } from "./platform/mail/email.ts";
import { loadPublicAddress } from "./platform/runtime/public-address.ts";
import { openLive } from "./platform/live/live-notifications.ts";
import { migrate } from "./platform/database/migrate.ts";
import { startPostgres } from "./platform/postgres/embedded-postgres.ts";
import { archiveSettings } from "./platform/wal-archive/archive-folder.ts";
import { startWalArchive } from "./platform/wal-archive/ship-wal.ts";
import { files } from "./platform/runtime/services.ts";
import { openServices } from "./platform/runtime/open-services.ts";
import { registerUploadSweeper } from "./platform/upload/uploads.ts";
import type { JobServices, Schedule } from "./platform/runtime/slice.ts";
import { slices, subscribeSlices } from "./slices.ts";

export interface RunningServer {
  database: Database;
  connection: pg.PoolConfig;
  /** The path of every route; empty in a worker process. */
  served: ReadonlySet<string>;
  /** The address on which the application listens; null if it serves no requests. */
  address: string | null;
  /** The port to which devices send by DIMSE, or null. */
  dicomPort: number | null;
  /** Accounts of an earlier demonstration that were suspended, because this start has none. */
  demoClosed: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts everything in order and serves requests and jobs, as the configuration's role requires; the connection to an
 * existing database may be passed.
 */
export async function start(config: Config, given: { connection?: pg.PoolConfig } = {}): Promise<RunningServer> {
  await prepareDataFolder(config);
  const closing: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  };
  try {
    const connection = given.connection ?? (await openPostgres(config, closing));
    await migrate(connection);
    const database = openDatabase(connection, config.DATABASE_POOL);
    closing.push(() => database.close());
    await loadPublicAddress(config, database);
    const { jobs, mail, secret } = await openServices(config, database, connection);
    closing.push(async () => mail.close());
    closing.push(() => jobs.stop());
    subscribeSlices(config);
    if (runsJobs(config))
      await startJobs({ config, database, jobs, chain: openAuditChain(secret, config.dataDir) }, closing);
    const closesDemo = servesRequests(config) && !config.ARCADA_DEMO;
    const demoClosed = closesDemo ? await closeDemoAccounts(database) : [];
    const receiver = await listenForDicom(config, database);
    if (receiver) closing.push(() => receiver.close());
    const server = servesRequests(config) ? await startServer(config, database, connection, closing) : null;
    return {
      database,
      connection,
      served: server?.served ?? new Set<string>(),
      address: server?.address ?? null,
      dicomPort: receiver?.port ?? null,
      demoClosed,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Creates the data folder; the default one first takes over the data that an earlier version kept in the checkout. */
export async function prepareDataFolder(config: Config): Promise<void> {
  const isDefault = config.DATA_DIR === undefined;
  const log = (line: string) => void process.stderr.write(`Arcada: ${line}\n`);
  if (isDefault) {
    await moveDataFolder({ from: formerDataDir, to: config.dataDir, log });
    if (!containsData(config.dataDir))
      for (const other of findOrphanedFolders(config.dataDir))
        log(`${other} holds data of a checkout that is gone. To go on with it, set DATA_DIR=${other}.`);
  }
  createDataFolder(config.dataDir, isDefault);
  if (isExchanging(config.dataDir))
    throw new StartError(
      `A restore into ${config.dataDir} was interrupted: run the same backup restore command again. It goes on where it stopped.`,
    );
}

function createDataFolder(folder: string, isDefault: boolean): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isDefault) markDataFolder(folder);
  } catch (error) {
    throw new StartError(
      `The data folder ${folder} cannot be made: ${(error as NodeJS.ErrnoException).code}. Set DATA_DIR to a folder that may be written.`,
    );
  }
}

async function openPostgres(config: Config, closing: (() => Promise<unknown>)[]): Promise<pg.PoolConfig> {
  if (config.DATABASE_URL) return { connectionString: config.DATABASE_URL };
  const embedded = await startPostgres({
    folder: path.join(config.dataDir, "postgres"),
    archive: archiveSettings(config),
  });
  closing.push(() => embedded.stop());
  return embedded.connection;
}

const deleteResponsesEveryMs = 600_000;

async function startJobs(services: JobServices, closing: (() => Promise<unknown>)[]): Promise<void> {
  const { config, database, jobs } = services;
  await registerEmailJobs(jobs, config);
  await registerUploadSweeper(jobs, database);
  const schedule = ({ everyMs, run }: Schedule) => {
    const timer = setInterval(() => void run().catch(() => {}), everyMs);
    closing.push(async () => clearInterval(timer));
  };
  const nightly = startNightlyBackups(config, database);
  if (nightly) closing.push(() => nightly.stop());
  const archive = startWalArchive(config, files);
  if (archive) closing.push(() => archive.stop());
  schedule({ everyMs: deleteResponsesEveryMs, run: () => deleteOldResponses(database) });
  for (const slice of slices) {
    await slice.registerJobs?.(services);
    for (const task of slice.schedules?.(services) ?? []) schedule(task);
    const background = slice.startBackground?.(services);
    if (background) closing.push(() => background.stop());
  }
}

async function startServer(
  config: Config,
  database: Database,
  connection: pg.PoolConfig,
  closing: (() => Promise<unknown>)[],
) {
  const live = await openLive(connection);
  closing.push(() => live.close());
  await publishCodeKey(database);
  const publishing = setInterval(() => void publishCodeKey(database).catch(() => {}), codeKeyEveryMs);
  closing.push(async () => clearInterval(publishing));
  const state = { stopping: false };
  const served = new Set<string>();
  const app = await createApp({ config, database, live, state, served });
  closing.push(async () => {
    state.stopping = true;
    // Open event streams would block a graceful close for ever.
    app.server.closeIdleConnections();
    setTimeout(() => app.server.closeAllConnections(), 1500).unref();
    await app.close();
  });
  try {
    return { served, address: await app.listen({ host: config.HOST, port: config.PORT }) };
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, config);
  }
}

function listenError(error: NodeJS.ErrnoException, config: Config): Error {
  if (error.code === "EADDRINUSE")
    return new StartError(`Port ${config.PORT} is in use. Stop the other program or set PORT to another number.`);
  if (error.code === "EACCES")
    return new StartError(`Port ${config.PORT} may not be opened by this user. Set PORT to a number above 1023.`);
  return error;
}
