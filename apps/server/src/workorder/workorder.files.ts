import type { FastifyInstance } from "fastify";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { WorkorderFile } from "@arcada/contract/workorder/workorder.schema";
import { allowedContents, refusedContents, workorderRules } from "@arcada/contract/workorder/workorder.rules";
import { detectFileKind } from "@arcada/imaging/file-kind";
import type { MemberContext } from "../platform/http/request-context.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import { deleteUnneeded, markUnneeded } from "../platform/storage/blob-references.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { copyImage, imageKinds } from "../platform/storage/image-copy.ts";
import { serveMultipart } from "../platform/upload/resumable-put-routes.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { Authenticate } from "../platform/http/serve-calls.ts";
import { files, jobs, uploadParts } from "../platform/runtime/services.ts";
import { listFiles, findOrder } from "./workorder.store.ts";
import type { WorkOrderFile } from "./workorder.store.ts";
import { mayAddFile, findTooLarge, toWireType } from "./workorder.allowed-steps.ts";
import { toWorkorderFile, toOrderReader } from "./workorder.view.ts";
import { defineQueue } from "../platform/jobs/jobs.ts";

const imageQueue = defineQueue<{ id: string }>("workorder.pictures");

type FileInput = Parsed<typeof workorderCalls.addFile>;

/** Announces a file that will arrive in chunks. The announced files of the order already count against its limits. */
export async function addFile({ db, principal }: MemberContext, input: FileInput): Promise<WorkorderFile> {
  const row = (await findOrder(db, toOrderReader(principal), input.id, "held")) ?? refuse("notFound");
  if (!mayAddFile(row, input.role, principal)) refuse("workorderActionNotAllowed");
  const others = await listFiles(db, row.id);
  const same = others.filter(({ role }) => role === input.role).length;
  const { max } = workorderRules.pictures[toWireType(row.type)];
  if (input.role === "picture" && same >= max) refuse("workorderPicturesMany", { most: String(max) });
  if (same >= workorderRules.maxOtherFiles)
    refuse("workorderFilesMany", { most: String(workorderRules.maxOtherFiles) });
  const tooLargeRefusal = findTooLarge([...others, input]);
  if (tooLargeRefusal) refuse(tooLargeRefusal.refusal, tooLargeRefusal.details);
  const id = newId();
  await uploadParts().make(id);
  await db
    .insertInto("work_order_file")
    .values({
      id,
      work_order_id: row.id,
      institution_id: row.institution_id,
      role: input.role,
      name: input.name,
      bytes: input.bytes,
      content: null,
      sha256: null,
      shown_sha256: null,
      shown_width: null,
      shown_height: null,
      thumbnail_sha256: null,
      created_by: principal.uid,
    })
    .execute();
  return toWorkorderFile((await findFile(db, id))!, true);
}

export async function removeFile(context: MemberContext, id: string, fileId: string): Promise<void> {
  const { db, principal, database } = context;
  const row = (await findOrder(db, toOrderReader(principal), id, "held")) ?? refuse("notFound");
  const file = await findFile(db, fileId);
  if (file?.work_order_id !== id) return refuse("notFound");
  if (!mayAddFile(row, file.role, principal)) refuse("workorderActionNotAllowed");
  await db.deleteFrom("work_order_file").where("id", "=", fileId).execute();
  const contents = [file.sha256, file.shown_sha256, file.thumbnail_sha256].filter((one) => one !== null);
  await markUnneeded(
    db,
    id,
    contents.map((sha256) => ({ area: "converted", sha256 })),
  );
  await notifyClients(db, { institutions: [row.institution_id], service: true }, "workorder", id);
  context.afterCommit.push(async () => {
    await uploadParts().remove(fileId);
    await deleteUnneeded((work) => database.asSystem(work), id);
  });
}

const findFile = (db: Db, id: string): Promise<WorkOrderFile | undefined> =>
  db.selectFrom("work_order_file").selectAll().where("id", "=", id).executeTakeFirst();

interface UploadServices {
  database: Database;
  authenticate: Authenticate;
}
/** The bytes of announced files: PUT /work-order-files/<id> with `upload-offset`. */
export const serveWorkorderFiles = (app: FastifyInstance, { database, authenticate }: UploadServices): Promise<void> =>
  serveMultipart(app, authenticate, {
    path: "/work-order-files/:id",
    access: ["afterSalesAdmin", "afterSalesMember", "clinicAdmin"],
    chunkBytes: workorderRules.chunkBytes * 2,
    busy: "workorderFileBusy",
    findExpected: (principal, id) =>
      database.asSystem(async (db) => {
        const file = await findFile(db, id);
        if (file?.created_by !== principal.uid) return null;
        const row = await findOrder(db, toOrderReader(principal), file.work_order_id);
        const isHere = file.sha256 !== null;
        return row && (isHere || mayAddFile(row, file.role, principal))
          ? { bytes: file.bytes, isComplete: isHere }
          : null;
      }),
    complete: (id) => storeFile(database, id),
  });

/** All bytes are here: into the store, where its content is what it should be. */
async function storeFile(database: Database, id: string): Promise<void> {
  const file = (await database.asSystem((db) => findFile(db, id))) ?? refuse("uploadUnknown");
  const content = await recogniseContent(id, file);
  const wanted = allowedContents[file.role];
  if (wanted ? !wanted.includes(content) : refusedContents.includes(content)) {
    await database.asSystem((db) => db.deleteFrom("work_order_file").where("id", "=", id).execute());
    await uploadParts().remove(id);
    refuse("workorderFileKind", { name: file.name });
  }
  const { sha256 } = await uploadParts().moveInto(id, { files: files(), area: "converted", iid: file.work_order_id });
  await database.asSystem(async (db) => {
    await db.updateTable("work_order_file").set({ sha256, content }).where("id", "=", id).execute();
    if (imageKinds.has(content)) await jobs().send(db, imageQueue, { id });
    await notifyClients(db, { institutions: [file.institution_id], service: true }, "workorder", file.work_order_id);
  });
}

async function recogniseContent(id: string, { name, bytes }: WorkOrderFile): Promise<string> {
  return detectFileKind(await uploadParts().head(id, Math.min(bytes, 65_536)), name, bytes);
}

export const registerWorkorderImages = (jobs: Jobs, database: Database): Promise<void> =>
  jobs.work(imageQueue, ({ id }) => makeImageCopies(database, id));

/** Longer sides in pixels: in a list, and on the screen or on paper. */
const longestSides = { thumbnail: 320, shown: 1600 } as const;

async function makeImageCopies(database: Database, id: string): Promise<void> {
  const file = await database.asSystem((db) => findFile(db, id));
  if (!file?.sha256) return;
  const [store, original] = [file.work_order_id, file.sha256];
  if ((await files().bytes("converted", store, original)) === null) return;
  const copy = (side: number, as: "webp" | "jpeg") =>
    files().local("converted", store, original, (path) => copyImage({ path, side, as }));
  const [small, tooLargeRefusal] = [await copy(longestSides.thumbnail, "webp"), await copy(longestSides.shown, "jpeg")];
  if (!small || !tooLargeRefusal) return;
  const [thumbnail, shown] = [
    await files().put("converted", store, small.bytes),
    await files().put("converted", store, tooLargeRefusal.bytes),
  ];
  await database.asSystem(async (db) => {
    await db
      .updateTable("work_order_file")
      .set({
        thumbnail_sha256: thumbnail.sha256,
        shown_sha256: shown.sha256,
        shown_width: tooLargeRefusal.width,
        shown_height: tooLargeRefusal.height,
      })
      .where("id", "=", id)
      .execute();
    await notifyClients(db, { institutions: [file.institution_id], service: true }, "workorder", store);
  });
}
