import type { FastifyInstance } from "fastify";
import { feedbackRules } from "@arcada/contract/feedback/feedback.rules";
import { serviceRoles } from "@arcada/contract/kernel/roles";
import type { Database, Db } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import { createFileUrl } from "../platform/storage/file-url.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { serveMultipart } from "../platform/upload/resumable-put-routes.ts";
import { redrawImage } from "../platform/storage/image-copy.ts";
import { Refused, refuse } from "../platform/http/refuse.ts";
import type { Authenticate } from "../platform/http/serve-calls.ts";
import { files, uploadParts, secret } from "../platform/runtime/services.ts";
import { withUploadPath } from "../platform/upload/upload-parts.ts";
import { listFiles } from "./feedback.store.ts";

/** Returns the id under which the image's bytes are sent. */
export async function beginImageUpload(
  db: Db,
  { feedback, uid, name, bytes }: { feedback: string; uid: string; name: string; bytes: number },
): Promise<string> {
  // Two tabs that add at once are counted one after the other.
  await db.selectFrom("software_feedback").select("id").where("id", "=", feedback).forUpdate().execute();
  if ((await listFiles(db, feedback)).length >= feedbackRules.pictures)
    refuse("feedbackPicturesMany", { count: feedbackRules.pictures });
  const id = newId();
  await uploadParts().make(id);
  await db.insertInto("feedback_file").values({ feedback_id: feedback, id, name, bytes, created_by: uid }).execute();
  return id;
}

export const buildFeedbackImageUrl = (id: string, sha256: string): string =>
  createFileUrl(secret(), { area: "converted", iid: id, sha256, name: "picture.webp", type: "image/webp" });

/** PUT /feedbackPictures/<id> */
export const serveFeedbackImages = (
  app: FastifyInstance,
  { database, authenticate }: { database: Database; authenticate: Authenticate },
): Promise<void> =>
  serveMultipart(app, authenticate, {
    path: "/feedbackPictures/:id",
    access: serviceRoles,
    chunkBytes: feedbackRules.chunkBytes * 2,
    busy: "pieceBusy",
    findExpected: async ({ uid }, id) => {
      const row = await findImage(database, id);
      return row?.created_by === uid ? { bytes: row.bytes, isComplete: row.sha256 !== null } : null;
    },
    complete: (id) => storeImage(database, id),
  });

const findImage = (database: Database, id: string) =>
  database.asSystem((db) => db.selectFrom("feedback_file").selectAll().where("id", "=", id).executeTakeFirst());

/**
 * Stores only the re-encoded image: without the location where it was taken, and without a second format hidden in its
 * bytes.
 */
async function storeImage(database: Database, id: string): Promise<void> {
  const by = (await findImage(database, id))?.created_by ?? refuse("uploadUnknown");
  try {
    const reencoded = await withUploadPath(uploadParts(), id, (path) =>
      redrawImage(by, { source: { path }, ...imageLimits }, { unreadable: "fileUnknown" }),
    );
    const { sha256 } = await files().put("converted", id, reencoded.bytes);
    await database.asSystem(async (db) => {
      await db.updateTable("feedback_file").set({ sha256 }).where("id", "=", id).execute();
      await notifyClients(db, { service: true }, "feedback", id);
    });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await database.asSystem((db) => db.deleteFrom("feedback_file").where("id", "=", id).execute());
    await uploadParts().remove(id);
    throw error;
  }
  await uploadParts().remove(id);
}

const longestSide = 2560;
const imageLimits = { width: longestSide, height: longestSide, as: "webp", kinds: ["jpeg", "png", "webp"] } as const;
