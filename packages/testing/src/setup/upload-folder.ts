import path from "node:path";
import { uploadParts } from "../../../../apps/server/src/platform/runtime/services.ts";

/** The folder of the unfinished uploads of a server without a bucket, which runs in this process. */
export const uploadFolder = (): string => path.join(uploadParts().workFolder, "uploads");
export const unfinishedUploadPath = (id: string): string => path.join(uploadFolder(), id);
