import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import type { Config } from "../runtime/config.ts";
import { StartError } from "../runtime/config.ts";
import type { Database } from "../database/database.ts";
import { createDiskStore } from "./disk-store.ts";
import { readText, writeDurably } from "./durable-writes.ts";
import type { FileStore } from "./file-store.ts";
import type { S3Settings } from "./s3-bucket.ts";
import { newSecret } from "../runtime/ids-and-secrets.ts";
import { isTracing, withInnerSpan } from "../telemetry/tracing.ts";
import { isArchiving, noteNewFiles } from "../wal-archive/archive-folder.ts";

/** Opens the store that the configuration names and refuses one that is not the store this database knows. */
export async function openFileStore(config: Config, database: Database): Promise<FileStore> {
  const files = await createFileStore(config);
  await verifyStoreId(files, database);
  await files.removeStale();
  const noted = isArchiving(config) ? noteNewFiles(files, config) : files;
  return isTracing() ? traceStore(noted) : noted;
}

/** Adds a span to each operation of a store that is worth one. The name of a file is not part of it. */
function traceStore(store: FileStore): FileStore {
  const span = <T>(operation: string, area: string, work: () => Promise<T>): Promise<T> =>
    withInnerSpan(`storage ${operation}`, { "arcada.storage.area": area }, work);
  return {
    ...store,
    put: (area, ...rest) => span("put", area, () => store.put(area, ...rest)),
    adopt: (area, ...rest) => span("adopt", area, () => store.adopt(area, ...rest)),
    read: (area, ...rest) => span("read", area, () => store.read(area, ...rest)),
    readInto: (area, ...rest) => span("read", area, () => store.readInto(area, ...rest)),
    local: (area, iid, sha256, work) => span("local", area, () => store.local(area, iid, sha256, work)),
    remove: (area, ...rest) => span("remove", area, () => store.remove(area, ...rest)),
  };
}

/** Opens the store without comparing its id with a database. */
export async function createFileStore(config: Config): Promise<FileStore> {
  const settings = readS3Settings(config);
  if (!settings) return createDiskStore(path.join(config.dataDir, "files"));
  // The SDK costs 70 ms and 33 MB: load it only for a store in S3.
  const { createS3Store: s3Files } = await import("./s3-store.ts");
  return s3Files(settings, path.join(config.dataDir, "tmp"));
}

/** Returns null if files lie on disk. */
export function readS3Settings(config: Config): S3Settings | null {
  if (!config.S3_ENDPOINT) return null;
  return {
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    bucket: config.S3_BUCKET!,
    accessKey: config.S3_ACCESS_KEY!,
    secretKey: config.S3_SECRET_KEY!,
    ...(config.S3_DIRECT_DOWNLOADS && { downloadEndpoint: config.S3_PUBLIC_ENDPOINT ?? config.S3_ENDPOINT }),
  };
}

/**
 * Checks the id of the store, which the database remembers: an unmounted disk or a wrong bucket resembles an empty
 * store, and writing into it would hide the loss.
 */
async function verifyStoreId(files: FileStore, database: Database): Promise<void> {
  await database.asSystem(async (db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('arcada storage', 0))`.execute(db);
    const known = await db.selectFrom("storage").select("id").executeTakeFirst();
    const found = await files.storeId().catch((error: Error) => storeError(error));
    if (known && found !== known.id)
      throw new StartError(
        `The file store is not the one that this database belongs to (${found ? "another sign" : "no sign"} in it). Is its disk mounted, or its bucket right?`,
      );
    if (known) return;
    const id = found ?? (await files.storeId(randomUUID()).catch((error: Error) => storeError(error)))!;
    await db.insertInto("storage").values({ id }).execute();
  });
}

const storeError = (error: Error): never => {
  throw new StartError(`The file store cannot be used: ${error.name}: ${error.message}`);
};

/**
 * Returns the key for signed addresses and keyed hashes: SECRET_KEY, else one that is created once and stored next to
 * the data.
 */
export async function loadSecretKey(config: Config): Promise<string> {
  if (config.SECRET_KEY) return config.SECRET_KEY;
  const file = path.join(config.dataDir, "secret.key");
  await mkdir(config.dataDir, { recursive: true });
  const kept = await readText(file);
  if (kept) return kept;
  await writeDurably(file, `${newSecret()}\n`, { mode: 0o600, first: true });
  // Another process may have been first: then its key counts.
  return (await readText(file))!;
}
