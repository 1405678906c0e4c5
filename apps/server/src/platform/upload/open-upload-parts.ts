import type { Config } from "../runtime/config.ts";
import { readS3Settings } from "../storage/open-file-store.ts";
import { openUploadFiles } from "./unfinished-upload-files.ts";
import type { UploadParts } from "./upload-parts.ts";

/** Opens the storage of unfinished uploads: in the bucket of the file store if there is one, else in the data folder. */
export async function openUploadParts(config: Config): Promise<UploadParts> {
  const settings = readS3Settings(config);
  if (!settings) return openUploadFiles(config.dataDir);
  // The SDK is loaded only for a bucket, as in `createFileStore`.
  const { openUploadObjects } = await import("./unfinished-upload-objects.ts");
  return openUploadObjects(settings, config.dataDir);
}
