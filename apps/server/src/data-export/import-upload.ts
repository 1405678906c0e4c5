import type { FastifyInstance } from "fastify";
import { dataExportRules } from "@arcada/contract/data-export/data-export.rules";
import type { Database } from "../platform/database/database.ts";
import { serveMultipart } from "../platform/upload/resumable-put-routes.ts";
import type { Authenticate } from "../platform/http/serve-calls.ts";
import { files, jobs, uploadParts } from "../platform/runtime/services.ts";
import { describeError } from "../platform/telemetry/redact-error.ts";
import { logEvent } from "../platform/telemetry/log.ts";
import { enqueueImport } from "./data-export.jobs.ts";
import { findImport, updateImport } from "./data-export.store.ts";

interface UploadServices {
  database: Database;
  authenticate: Authenticate;
}

/** Receives the bytes of an archive that the operator uploads in chunks: PUT /imports/<id> with `upload-offset`. */
export const serveImportUploads = (app: FastifyInstance, { database, authenticate }: UploadServices): Promise<void> =>
  serveMultipart(app, authenticate, {
    path: "/imports/:id",
    access: ["operator"],
    chunkBytes: dataExportRules.chunkBytes * 2,
    busy: "importBusy",
    findExpected: async (_, id) => {
      const row = await database.asSystem((db) => findImport(db, id));
      return row ? { bytes: row.bytes, isComplete: row.state !== "sending" } : null;
    },
    // An archive may be large: the request does not wait for its hash.
    complete: async (id) => void storeImportUpload(database, id),
  });

const settling = new Set<string>();

/**
 * All bytes have arrived: moves them into the store, where every process finds them, and starts the check. A second
 * call at the same time does nothing.
 */
export async function storeImportUpload(database: Database, id: string): Promise<void> {
  if (settling.has(id)) return;
  settling.add(id);
  try {
    const { sha256 } = await uploadParts().moveInto(id, { files: files(), area: "converted", iid: id });
    await database.asSystem(async (db) => {
      if (!(await updateImport(db, id, ["sending"], { state: "checking", progress: 0, sha256 }))) return;
      await enqueueImport(jobs(), db, { id, step: "check" });
    });
  } catch (error) {
    logEvent("error", "an archive that came", describeError(error));
  } finally {
    settling.delete(id);
  }
}
