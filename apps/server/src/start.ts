import { mkdirSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import { subscribeToEvents, makeApp } from "./app.ts";
import { forgetSpent } from "./account/account.store.ts";
import { closeDemoAccounts } from "./account/demo-accounts.ts";
import { forgetErrorReports } from "./account/error-reports.ts";
import { registerAnalysis } from "./analysis/analysis.jobs.ts";
import { engineTrustOf } from "./analysis/engine-trust.ts";
import { sweepAnalyses } from "./analysis/analysis.run.ts";
import { turnCapacity } from "./capacity/capacity.clock.ts";
import { registerDicomweb } from "./dicomweb/index.jobs.ts";
import { registerIntake } from "./dicomweb/intake.ts";
import { listenForDicom } from "./dicom-port.ts";
import { registerIngest } from "./ingest/ingest.ts";
import { forgetDeliveries } from "./interface/webhook.queue.ts";
import { sendWebhooks } from "./interface/webhook.send.ts";
import { deleteOldAnswers } from "./platform/http/idempotency.ts";
import { openChain } from "./platform/audit/audit-chain.ts";
import type { Chain } from "./platform/audit/audit-chain.ts";
import { codeKeyEveryMs, publishCodeKey } from "./platform/security/code-key.ts";
import { answersRequests, StartError, takesJobs } from "./platform/runtime/config.ts";
import type { Config } from "./platform/runtime/config.ts";
import { formerDataDir, holdsData, orphanedBeside, signDataFolder } from "./platform/runtime/data-folder.ts";
import { moveData } from "./platform/runtime/data-move.ts";
import { openDatabase } from "./platform/database/database.ts";
import type { Database } from "./platform/database/database.ts";
import { registerEmailJobs } from "./platform/mail/email.ts";
import { openLive } from "./platform/live/live-notifications.ts";
import { migrate } from "./platform/database/migrate.ts";
import { startPostgres } from "./platform/postgres/embedded-postgres.ts";
import { openServices } from "./platform/runtime/open-services.ts";
import type { Services } from "./platform/runtime/services.ts";
import { registerKeeping } from "./keeping/keeping.jobs.ts";
import { registerSweepers } from "./platform/upload/uploads.ts";
import { lapseInvitations } from "./member/member.jobs.ts";
import { registerLeaving } from "./leaving/leaving.jobs.ts";
import { registerTrailCheck } from "./operator/operator.jobs.ts";
import { mailHeadDaily, trailKeeper } from "./operator/trail.keeper.ts";
import { registerOrderGlb } from "./order/order.glb.ts";
import { registerOrderPictures } from "./order/order.pictures.ts";
import { forgetPatientDownloads } from "./patient/archive.store.ts";
import { erasePatient } from "./patient/erase.ts";
import { lapseShares } from "./share/share.ends.ts";
import { registerOutgoing } from "./study/outgoing/order-copy.ts";
import { forgetDownloads } from "./order/download.store.ts";
import { keepLists } from "./order/list.jobs.ts";
import { autoComplete, handOverWaiting, remindReceipts } from "./order/order.jobs.ts";
import { settleLeft } from "./relation/relation.settle.ts";
import { registerWorkorders } from "./workorder/workorder.jobs.ts";

export interface Running {
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
export async function start(config: Config, given: { connection?: pg.PoolConfig } = {}): Promise<Running> {
  await settleData(config);
  const closing: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  };
  try {
    const connection = given.connection ?? (await openPostgres(config, closing));
    await migrate(connection);
    const database = openDatabase(connection, config.DATABASE_POOL);
    closing.push(() => database.close());
    const { jobs, mail, secret } = await openServices(config, database, connection);
    closing.push(async () => mail.close());
    closing.push(() => jobs.stop());
    subscribeToEvents(config);
    if (takesJobs(config)) await work(config, { database, jobs, chain: openChain(secret, config.dataDir) }, closing);
    const closesDemo = answersRequests(config) && !config.ARCADA_DEMO;
    const demoClosed = closesDemo ? await closeDemoAccounts(database) : [];
    const receiver = await listenForDicom(config, database);
    if (receiver) closing.push(() => receiver.close());
    const answering = answersRequests(config) ? await answer(config, database, connection, closing) : null;
    return {
      database,
      connection,
      served: answering?.served ?? new Set<string>(),
      address: answering?.address ?? null,
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
export async function settleData(config: Config): Promise<void> {
  const isDefault = config.DATA_DIR === undefined;
  const say = (line: string) => void process.stderr.write(`Arcada: ${line}\n`);
  if (isDefault) {
    await moveData({ from: formerDataDir, to: config.dataDir, say });
    if (!holdsData(config.dataDir))
      for (const other of orphanedBeside(config.dataDir))
        say(`${other} holds data of a checkout that is gone. To go on with it, set DATA_DIR=${other}.`);
  }
  makeFolder(config.dataDir, isDefault);
}

function makeFolder(folder: string, isDefault: boolean): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isDefault) signDataFolder(folder);
  } catch (error) {
    throw new StartError(
      `The data folder ${folder} cannot be made: ${(error as NodeJS.ErrnoException).code}. Set DATA_DIR to a folder that may be written.`,
    );
  }
}

async function openPostgres(config: Config, closing: (() => Promise<unknown>)[]): Promise<pg.PoolConfig> {
  if (config.DATABASE_URL) return { connectionString: config.DATABASE_URL };
  const embedded = await startPostgres({ folder: path.join(config.dataDir, "postgres") });
  closing.push(() => embedded.stop());
  return embedded.connection;
}

const analysesEveryMs = 5000;
const sealEveryMs = 1000;
const anchorEveryMs = 60_000;
const completeEveryMs = 600_000;
const lapseEveryMs = 60_000;
const listsEveryMs = 10_000;
const forgetEveryMs = 600_000;

async function work(
  config: Config,
  { database, jobs, chain }: { database: Database; jobs: Services["jobs"]; chain: Chain },
  closing: (() => Promise<unknown>)[],
): Promise<void> {
  await registerEmailJobs(jobs, config);
  await registerIngest(jobs, database);
  await registerOrderGlb(jobs, database);
  await registerOrderPictures(jobs, database);
  await registerDicomweb(jobs, database);
  await registerIntake(jobs, database);
  await registerOutgoing(jobs, database);
  await registerAnalysis(jobs, database, engineTrustOf(config));
  await registerSweepers(jobs, database);
  await registerTrailCheck(jobs, database, chain);
  await mailHeadDaily(jobs, database, chain);
  await registerKeeping(jobs, database, erasePatient);
  await registerLeaving(jobs, database);
  await registerWorkorders(jobs, database);
  const webhooks = sendWebhooks(database, config);
  closing.push(() => webhooks.stop());
  const repeat = (every: number, task: () => Promise<unknown>) => {
    const timer = setInterval(() => void task().catch(() => {}), every);
    closing.push(async () => clearInterval(timer));
  };
  repeat(analysesEveryMs, () => sweepAnalyses(database));
  const keeper = trailKeeper(database, chain);
  repeat(sealEveryMs, keeper.seal);
  repeat(anchorEveryMs, keeper.anchor);
  repeat(completeEveryMs, () => autoComplete(database));
  repeat(completeEveryMs, () => forgetDownloads(database));
  repeat(completeEveryMs, () => forgetPatientDownloads(database));
  repeat(completeEveryMs, () => handOverWaiting(database));
  repeat(completeEveryMs, () => remindReceipts(database));
  repeat(completeEveryMs, () => settleLeft(database));
  repeat(listsEveryMs, () => keepLists(database));
  repeat(lapseEveryMs, () => lapseInvitations(database));
  repeat(lapseEveryMs, () => lapseShares(database));
  repeat(lapseEveryMs, () => turnCapacity(database));
  repeat(forgetEveryMs, () => deleteOldAnswers(database));
  repeat(forgetEveryMs, () => forgetSpent(database));
  repeat(forgetEveryMs, () => forgetErrorReports(database));
  repeat(forgetEveryMs, () => forgetDeliveries(database));
}

async function answer(
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
  const app = await makeApp({ config, database, live, state, served });
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
