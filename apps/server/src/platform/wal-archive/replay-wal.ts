import { createWriteStream } from "node:fs";
import { chmod, mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { readCompressed } from "../backup/backup-parts.ts";
import type { BackupPlace } from "../backup/backup-parts.ts";
import type { StoredBackup } from "../backup/backup-manifest.ts";
import { startPostgres } from "../postgres/embedded-postgres.ts";
import { mostConnections } from "../postgres/embedded-postgres-settings.ts";
import { StartError } from "../runtime/config.ts";
import { listArchive, walFolder, walName } from "./archived-wal.ts";
import { segmentNumber, segmentNumberAt } from "./wal-segments.ts";

/** The moment to which a database is brought; "latest": as far as the archive leads. */
export type RestoreMoment = Date | "latest";

const segmentsAhead = 32;
const pollMs = 100;
const startPauseMs = 10_000;
/** The database asks for the next segment every tenth of a second, so after this time there is nothing left to do. */
const idleMs = 5000;

/**
 * Replays archived WAL on the files of a backup until the moment, and makes the database ready for use. The database
 * reads as a standby does: it asks again for a segment that is not there yet, so only some lie on the disk at once.
 */
export async function replayWal(
  place: BackupPlace,
  backup: StoredBackup,
  cluster: string,
  moment: RestoreMoment,
  log: (line: string) => void,
): Promise<void> {
  const feed = await openFeed(place, backup, `${cluster}.wal`);
  try {
    await feed.fill(null);
    const starting = startPostgres({ folder: cluster, settings: recoverySettings(feed.folder, moment) });
    const database = await provideUntil(starting, feed);
    try {
      await waitForMoment(database.connection, feed, moment, log);
    } finally {
      await database.stop();
    }
  } finally {
    await rm(feed.folder, { recursive: true, force: true });
  }
}

/** A database that cannot be asked yet how far it is may need more than the first segments. */
async function provideUntil<T>(starting: Promise<T>, feed: Feed): Promise<T> {
  for (;;) {
    const started = await Promise.race([
      starting.then((value) => ({ value })),
      sleep(startPauseMs, null, { ref: false }),
    ]);
    if (started) return started.value;
    await feed.fill(null);
  }
}

const recoverySettings = (folder: string, moment: RestoreMoment): Record<string, string> => ({
  restore_command: `cp ${quote(folder)}/%f "%p"`,
  wal_retrieve_retry_interval: `${pollMs}ms`,
  max_connections: String(mostConnections),
  ...(moment !== "latest" && {
    recovery_target_time: moment.toISOString().replace("T", " ").replace("Z", "+00"),
    recovery_target_action: "promote",
  }),
});

/** For the shell that the database starts; it reads %% as %. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''").replaceAll("%", "%%")}'`;

async function waitForMoment(
  connection: pg.ClientConfig,
  feed: Feed,
  moment: RestoreMoment,
  log: (line: string) => void,
): Promise<void> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  try {
    let reached = "";
    for (let since = Date.now(); ; await sleep(pollMs)) {
      const { isOver, position, last } = await readProgress(client);
      if (isOver) return log(`the database is as it was at ${moment === "latest" ? last : moment.toISOString()}`);
      if (position !== reached) since = Date.now();
      reached = position;
      const isFed = await feed.fill(segmentNumberAt(position));
      if (!isFed || Date.now() - since < idleMs) continue;
      if (moment !== "latest")
        throw new StartError(
          `The archive holds nothing after ${last ?? "the backup"}: give an earlier time, or --until latest to restore all of it.`,
        );
      await client.query("select pg_promote(true, 600)");
    }
  } finally {
    await client.end().catch(() => {});
  }
}

async function readProgress(client: pg.Client): Promise<{ isOver: boolean; position: string; last: string | null }> {
  const { rows } = await client.query<{ over: boolean; position: string | null; last: Date | null }>(
    `select not pg_is_in_recovery() as over, pg_last_wal_replay_lsn()::text as position,
      pg_last_xact_replay_timestamp() as last`,
  );
  const { over, position, last } = rows[0]!;
  return { isOver: over, position: position ?? "0/0", last: last?.toISOString() ?? null };
}

interface Feed {
  folder: string;
  /**
   * Puts the next segments into the folder, and removes those before the replayed one; null: some more are needed than
   * lie there. True if all have been there.
   */
  fill(replayed: bigint | null): Promise<boolean>;
}

async function openFeed(place: BackupPlace, backup: StoredBackup, folder: string): Promise<Feed> {
  const { archive } = backup.manifest.wal ?? {};
  if (!archive) throw new StartError(`The backup ${backup.name} was made without an archive of the WAL.`);
  const { segments, histories, gap } = await listArchive(place.target, backup);
  if (gap !== null)
    throw new StartError(
      `The archive of the WAL has a gap after the backup ${backup.name} (segment ${gap}): restore that backup itself by --at ${backup.name}, or a later one.`,
    );
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await chmod(folder, 0o755);
  const provide = async (name: string): Promise<void> => {
    const file = path.join(folder, name);
    await readCompressed(place, `${walFolder(archive)}/${walName(name)}`, passOn, (content) =>
      pipeline(content, createWriteStream(`${file}.part`, { mode: 0o644 })),
    );
    await rename(`${file}.part`, file);
  };
  for (const name of histories) await provide(name);
  let next = 0;
  let removed = 0;
  return {
    folder,
    async fill(replayed) {
      // The database may ask once more for the segment before the one that it replays.
      for (; replayed !== null && removed < next && segmentNumber(segments[removed]!) < replayed - 1n; removed++)
        await rm(path.join(folder, segments[removed]!), { force: true });
      const end = Math.min(segments.length, (replayed === null ? next : removed) + segmentsAhead);
      for (; next < end; next++) await provide(segments[next]!);
      return next === segments.length;
    },
  };
}

async function* passOn(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* content;
}
