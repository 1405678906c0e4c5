import path from "node:path";
import type { BackupTarget } from "./backup-target.ts";
import { createFolderTarget } from "./folder-target.ts";
import { StartError } from "../runtime/config.ts";
import type { Config } from "../runtime/config.ts";

/** Reads `s3://bucket/prefix`; null for a folder. */
function parseBucketPlace(place: string): { bucket: string; prefix: string } | null {
  if (!place.startsWith("s3://")) return null;
  const [bucket = "", ...rest] = place.slice("s3://".length).split("/");
  return bucket === "" ? null : { bucket, prefix: rest.filter(Boolean).join("/") };
}

/** Opens a folder, or a prefix given as `s3://bucket/prefix`. */
export async function openBackupTarget(place: string, config: Config): Promise<BackupTarget> {
  const inBucket = parseBucketPlace(place);
  if (!inBucket) return createFolderTarget(path.resolve(place));
  const { bucket, prefix } = inBucket;
  const endpoint = config.BACKUP_S3_ENDPOINT ?? config.S3_ENDPOINT;
  const accessKey = config.BACKUP_S3_ACCESS_KEY ?? config.S3_ACCESS_KEY;
  const secretKey = config.BACKUP_S3_SECRET_KEY ?? config.S3_SECRET_KEY;
  if (!endpoint || !accessKey || !secretKey)
    throw new StartError(
      `${place} needs BACKUP_S3_ENDPOINT, BACKUP_S3_ACCESS_KEY and BACKUP_S3_SECRET_KEY, or the same settings that begin with S3_.`,
    );
  // The SDK costs 70 ms and 33 MB: load it only for a bucket.
  const { createBucketTarget } = await import("./bucket-target.ts");
  const region = config.BACKUP_S3_REGION ?? config.S3_REGION;
  return createBucketTarget({ endpoint, region, bucket, accessKey, secretKey }, prefix);
}

/** Refuses a place that would be lost together with what it protects. */
export function refuseUnsafePlace(place: string, config: Config): void {
  const { dataDir, S3_BUCKET } = config;
  const bucket = parseBucketPlace(place)?.bucket;
  if (bucket === undefined && `${path.resolve(place)}/`.startsWith(`${path.resolve(dataDir)}/`))
    throw new StartError(`The backups must be outside the data folder ${dataDir}: choose a folder on another disk.`);
  if (
    bucket !== undefined &&
    bucket === S3_BUCKET &&
    (config.BACKUP_S3_ENDPOINT ?? config.S3_ENDPOINT) === config.S3_ENDPOINT
  )
    throw new StartError(
      `The backups must be outside the bucket of the stored files (${bucket}): choose another bucket, best at another provider.`,
    );
}
