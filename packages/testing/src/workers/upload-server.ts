import Fastify from "fastify";
import type pg from "pg";
import type { Role } from "@arcada/contract/kernel/roles";
import { readConfig } from "../../../../apps/server/src/platform/runtime/config.ts";
import { openDatabase } from "../../../../apps/server/src/platform/database/database.ts";
import { registerErrorHandler } from "../../../../apps/server/src/platform/http/error-handler.ts";
import { serveFiles } from "../../../../apps/server/src/platform/http/file-routes.ts";
import { createDiskStore } from "../../../../apps/server/src/platform/storage/disk-store.ts";
import type { S3Settings } from "../../../../apps/server/src/platform/storage/s3-bucket.ts";
import { createS3Store } from "../../../../apps/server/src/platform/storage/s3-store.ts";
import { createHolderGuard } from "../../../../apps/server/src/platform/live/address-holders.ts";
import type { ValidHolder } from "../../../../apps/server/src/platform/live/address-holders.ts";
import { newId } from "../../../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { provideServices } from "../../../../apps/server/src/platform/runtime/services.ts";
import { openUploadFiles } from "../../../../apps/server/src/platform/upload/unfinished-upload-files.ts";
import { openUploadObjects } from "../../../../apps/server/src/platform/upload/unfinished-upload-objects.ts";
import { serveUploads } from "../../../../apps/server/src/platform/upload/upload-routes.ts";

export interface UploadServerSettings {
  port?: number;
  connection: pg.PoolConfig;
  folder: string;
  /** Files and unfinished uploads lie in this bucket instead of the folder. */
  bucket?: S3Settings | undefined;
}

/** The reader for every file request to this server. */
const anyReader: ValidHolder = {
  tokenHash: "the hash of a token",
  cookie: null,
  tenantScope: { system: false, iid: null, uid: null },
  shared: null,
};
/** The holder for whom a test makes addresses of its files. */
export const anyHolder = { id: newId(), tokenHash: anyReader.tokenHash };

/** Serves uploads and files alone, on a port that the system chooses. The token names the user in plain text. */
export async function startUploadServer({ connection, folder, bucket, port = 0 }: UploadServerSettings) {
  const database = openDatabase(connection, 4);
  provideServices({
    files: bucket ? createS3Store(bucket, `${folder}/tmp`) : createDiskStore(`${folder}/files`),
    parts: bucket ? await openUploadObjects(bucket, folder) : await openUploadFiles(folder),
    secret: "the secret of the test's server",
  });
  const app = Fastify();
  registerErrorHandler(app);
  const authenticate = async (request: { headers: Record<string, unknown> }) => {
    const { token } = request.headers;
    if (typeof token !== "string") return null;
    const [uid, iid, role, sessionId] = token.split(":") as [string, string, Role, string];
    return {
      uid,
      iid,
      role,
      sessionId: sessionId ?? uid,
      tokenHash: anyReader.tokenHash,
      name: "",
      kind: "api" as const,
      timeZone: "UTC",
    };
  };
  await serveUploads(app, { database, authenticate });
  serveFiles(app, {
    readers: createHolderGuard(async (ids) => new Map(ids.map((id) => [id, anyReader])), readConfig({})),
    maySee: async () => true,
    deidentify: async (_, sha256) => sha256,
    recordDirectDownload: async () => {},
  });
  app.addHook("onClose", () => database.close());
  return { app, address: await app.listen({ port, host: "127.0.0.1" }) };
}

// Runs as a separate process, for tests that kill it.
if (process.env.UPLOAD_SERVER) {
  const { address } = await startUploadServer(JSON.parse(process.env.UPLOAD_SERVER) as UploadServerSettings);
  process.stdout.write(`at ${address}\n`);
}
