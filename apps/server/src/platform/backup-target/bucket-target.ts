import { DamagedError } from "../backup/backup-key.ts";
import type { BackupTarget } from "./backup-target.ts";
import { Refused } from "../http/refuse.ts";
import { openBucket } from "../storage/s3-bucket.ts";
import type { S3Settings } from "../storage/s3-bucket.ts";

/** Keeps backups in a bucket. An object exists only when it is complete, so nothing has to be flushed. */
export function createBucketTarget(settings: S3Settings, prefix: string): BackupTarget {
  const bucket = openBucket(settings);
  const start = prefix === "" ? "" : `${prefix}/`;
  const list: BackupTarget["list"] = async function* (folder) {
    for await (const objects of bucket.list(`${start}${folder}/`))
      yield objects.map(({ key, bytes, modified }) => ({ name: key.slice(start.length), bytes, modified }));
  };
  return {
    label: `s3://${settings.bucket}/${prefix}`,
    // Each look-up waits for the network.
    filesAtOnce: 16,
    write: (name, content) => bucket.sendStream(start + name, content),
    flush: async () => {},
    async read(name) {
      return bucket.read(start + name).catch((error: unknown) => {
        if (error instanceof Refused && error.refusal === "notFound") throw new DamagedError(`${name} is missing`);
        throw error;
      });
    },
    size: (name) => bucket.size(start + name),
    listTop: () => bucket.listFolders(start),
    list,
    remove: (name) => bucket.remove(start + name),
    async removeFolder(name) {
      for await (const files of list(name)) for (const file of files) await bucket.remove(start + file.name);
    },
  };
}
