import type { Readable } from "node:stream";
import path from "node:path";
import { createFolderTarget } from "./folder-target.ts";
import { StartError } from "../runtime/config.ts";
import type { Config } from "../runtime/config.ts";

export interface TargetFile {
  /** The path below the root, with slashes. */
  name: string;
  bytes: number;
  modified: Date;
}

/** The folder, or the prefix in a bucket, in which backups are kept. Names are paths below it, with slashes. */
export interface BackupTarget {
  /** Names the place for people. */
  readonly label: string;
  /** The number of files to copy or to look up at the same time. */
  readonly filesAtOnce: number;
  /** Writes a file that exists either wholly or not at all. It survives a power failure once `flush` has ended. */
  write(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  flush(): Promise<void>;
  /** Throws a DamagedError if the file is missing. */
  read(name: string): Promise<Readable>;
  /** Null: there is no such file. */
  size(name: string): Promise<number | null>;
  /** Lists what lies directly below the root, folders included. */
  listTop(): Promise<string[]>;
  /** Lists the files below a folder, in batches of some hundreds. */
  list(folder: string): AsyncIterable<TargetFile[]>;
  /** Removes a file; one that is missing is no error. */
  remove(name: string): Promise<void>;
  /** Removes a folder with its content. */
  removeFolder(name: string): Promise<void>;
}

/** Opens a folder, or a prefix given as `s3://bucket/prefix`. */
export async function openBackupTarget(place: string, config: Config): Promise<BackupTarget> {
  const inBucket = /^s3:\/\/([^/]+)(?:\/(.*?))?\/*$/.exec(place);
  if (!inBucket) return openFolder(path.resolve(place), config);
  const [, bucket = "", prefix = ""] = inBucket;
  const endpoint = config.BACKUP_S3_ENDPOINT ?? config.S3_ENDPOINT;
  const accessKey = config.BACKUP_S3_ACCESS_KEY ?? config.S3_ACCESS_KEY;
  const secretKey = config.BACKUP_S3_SECRET_KEY ?? config.S3_SECRET_KEY;
  if (!endpoint || !accessKey || !secretKey)
    throw new StartError(
      `${place} needs BACKUP_S3_ENDPOINT, BACKUP_S3_ACCESS_KEY and BACKUP_S3_SECRET_KEY, or the same settings that begin with S3_.`,
    );
  if (endpoint === config.S3_ENDPOINT && bucket === config.S3_BUCKET)
    throw new StartError(
      `The backups must be outside the bucket of the stored files (${bucket}): choose another bucket, best at another provider.`,
    );
  // The SDK costs 70 ms and 33 MB: load it only for a bucket.
  const { createBucketTarget } = await import("./bucket-target.ts");
  const region = config.BACKUP_S3_REGION ?? config.S3_REGION;
  return createBucketTarget({ endpoint, region, bucket, accessKey, secretKey }, prefix);
}

/** Refuses backups inside the data folder: they would be lost with it. */
function openFolder(root: string, { dataDir }: Config): BackupTarget {
  if (`${root}/`.startsWith(`${path.resolve(dataDir)}/`))
    throw new StartError(`The backups must be outside the data folder ${dataDir}: choose a folder on another disk.`);
  return createFolderTarget(root);
}

/** Returns a small file's text, without the line end; null if it is missing. */
export async function readTargetText(target: BackupTarget, name: string): Promise<string | null> {
  if ((await target.size(name)) === null) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of await target.read(name)) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString("utf8").trim();
}

/** Writes a small file; it is on the disk when this resolves. */
export async function writeTargetText(target: BackupTarget, name: string, text: string): Promise<void> {
  await target.write(name, asStream(text));
  await target.flush();
}

async function* asStream(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
