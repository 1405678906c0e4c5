import path from "node:path";
import type { BackupTarget } from "./backup-target.ts";
import { createFolderTarget } from "./folder-target.ts";
import { StartError } from "../runtime/config.ts";
import type { Config } from "../runtime/config.ts";

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
