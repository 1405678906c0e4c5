import type { FastifyInstance } from "fastify";
import { deviceRules } from "@arcada/contract/device/device.rules";
import type { Database } from "../platform/database/database.ts";
import { serveMultipart } from "../platform/upload/resumable-put-routes.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { Authenticate } from "../platform/http/serve-calls.ts";
import { files, uploadParts } from "../platform/runtime/services.ts";

interface UploadServices {
  database: Database;
  authenticate: Authenticate;
}

/** Receives the bytes of a clinic's written consent: PUT /device-consents/<id> with `upload-offset`. */
export const serveConsentUploads = (app: FastifyInstance, { database, authenticate }: UploadServices): Promise<void> =>
  serveMultipart(app, authenticate, {
    path: "/device-consents/:id",
    access: ["afterSalesAdmin"],
    chunkBytes: deviceRules.consentBytes,
    busy: "pieceBusy",
    findExpected: async (principal, id) => {
      const row = await database.asSystem((db) =>
        db
          .selectFrom("device_consent")
          .select(["bytes", "sha256", "created_by"])
          .where("id", "=", id)
          .executeTakeFirst(),
      );
      return row?.created_by === principal.uid ? { bytes: row.bytes, isComplete: row.sha256 !== null } : null;
    },
    complete: (id) => storeConsent(database, id),
  });

async function storeConsent(database: Database, id: string): Promise<void> {
  if (!(await isScanOrPdf(id))) {
    await uploadParts().remove(id);
    refuse("deviceConsentUnreadable");
  }
  const { sha256 } = await uploadParts().moveInto(id, { files: files(), area: "converted", iid: id });
  await database.asSystem((db) => db.updateTable("device_consent").set({ sha256 }).where("id", "=", id).execute());
}

const fileSignatures = [Buffer.from("%PDF-"), Buffer.from([0xff, 0xd8, 0xff]), Buffer.from([0x89, 0x50, 0x4e, 0x47])];
async function isScanOrPdf(id: string): Promise<boolean> {
  const head = await uploadParts().head(id, 8);
  return fileSignatures.some((start) => head.subarray(0, start.length).equals(start));
}
