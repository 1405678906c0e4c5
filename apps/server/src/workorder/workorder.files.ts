import { open } from "node:fs/promises";
import type { FastifyInstance } from "fastify";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { WorkorderFile, workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { contentsOf, refusedContents, workorderRules } from "@arcada/contract/workorder/workorder.rules";
import { recognise } from "@arcada/imaging/recognise";
import type { MemberContext } from "../platform/http/request-context.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import { clearStore, noteUnneeded } from "../platform/storage/blob-references.ts";
import { newId } from "../platform/runtime/ids.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { imageCopy, imageKinds } from "../platform/storage/image-copy.ts";
import { serveMultipart } from "../platform/upload/multipart.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { Authenticate } from "../platform/http/serve.ts";
import { files, jobs, parts } from "../platform/runtime/services.ts";
import { filesOf, orderOf } from "./workorder.store.ts";
import type { WorkOrderFile } from "./workorder.store.ts";
import { mayBring, tooLarge, wireType } from "./workorder.ts";
import { fileShown, readerOf } from "./workorder.view.ts";

type Announced = Parsed<typeof workorderCalls.addFile>;

/** Announces a file that will come in chunks: the announced files of the order count already. */
export async function addFile({ db, asker }: MemberContext, wish: Announced): Promise<WorkorderFile> {
  const row = (await orderOf(db, readerOf(asker), wish.id, "held")) ?? refuse("notFound");
  if (!mayBring(row, wish.role, asker)) refuse("workorderActionNotAllowed");
  const others = await filesOf(db, row.id);
  const same = others.filter(({ role }) => role === wish.role).length;
  const { most } = workorderRules.pictures[wireType(row.type)];
  if (wish.role === "picture" && same >= most) refuse("workorderPicturesMany", { most: String(most) });
  if (same >= workorderRules.otherFilesMost)
    refuse("workorderFilesMany", { most: String(workorderRules.otherFilesMost) });
  const large = tooLarge([...others, wish]);
  if (large) refuse(large.refusal, large.details);
  const id = newId();
  await parts().make(id);
  await db
    .insertInto("work_order_file")
    .values({
      id,
      work_order_id: row.id,
      institution_id: row.institution_id,
      role: wish.role,
      name: wish.name,
      bytes: wish.bytes,
      content: null,
      sha256: null,
      shown_sha256: null,
      shown_width: null,
      shown_height: null,
      thumbnail_sha256: null,
      created_by: asker.uid,
    })
    .execute();
  return fileShown((await fileOf(db, id))!, true);
}

export async function removeFile(context: MemberContext, id: string, fileId: string): Promise<void> {
  const { db, asker, database } = context;
  const row = (await orderOf(db, readerOf(asker), id, "held")) ?? refuse("notFound");
  const file = await fileOf(db, fileId);
  if (file?.work_order_id !== id) return refuse("notFound");
  if (!mayBring(row, file.role, asker)) refuse("workorderActionNotAllowed");
  await db.deleteFrom("work_order_file").where("id", "=", fileId).execute();
  const contents = [file.sha256, file.shown_sha256, file.thumbnail_sha256].filter((one) => one !== null);
  await noteUnneeded(
    db,
    id,
    contents.map((sha256) => ({ area: "converted", sha256 })),
  );
  await notifyClients(db, { institutions: [row.institution_id], service: true }, "workorder", id);
  context.afterCommit.push(async () => {
    await parts().remove(fileId);
    await clearStore((work) => database.asSystem(work), id);
  });
}

const fileOf = (db: Db, id: string): Promise<WorkOrderFile | undefined> =>
  db.selectFrom("work_order_file").selectAll().where("id", "=", id).executeTakeFirst();

interface Served {
  database: Database;
  authenticate: Authenticate;
}
/** The bytes of announced files: PUT /work-order-files/<id> with `upload-offset`. */
export const serveWorkorderFiles = (app: FastifyInstance, { database, authenticate }: Served): Promise<void> =>
  serveMultipart(app, authenticate, {
    path: "/work-order-files/:id",
    access: ["afterSalesAdmin", "afterSalesMember", "clinicAdmin"],
    pieceBytes: workorderRules.pieceBytes * 2,
    busy: "workorderFileBusy",
    awaited: (asker, id) =>
      database.asSystem(async (db) => {
        const file = await fileOf(db, id);
        if (file?.created_by !== asker.uid) return null;
        const row = await orderOf(db, readerOf(asker), file.work_order_id);
        const isHere = file.sha256 !== null;
        return row && (isHere || mayBring(row, file.role, asker)) ? { bytes: file.bytes, isHere } : null;
      }),
    complete: (id) => keepFile(database, id),
  });

/** All bytes are here: into the store, where its content is what it should be. */
async function keepFile(database: Database, id: string): Promise<void> {
  const file = (await database.asSystem((db) => fileOf(db, id))) ?? refuse("uploadUnknown");
  const content = await contentOf(id, file);
  const wanted = contentsOf[file.role];
  if (wanted ? !wanted.includes(content) : refusedContents.includes(content)) {
    await database.asSystem((db) => db.deleteFrom("work_order_file").where("id", "=", id).execute());
    await parts().remove(id);
    refuse("workorderFileKind", { name: file.name });
  }
  const { sha256 } = await files().adopt("converted", file.work_order_id, parts().pathOf(id));
  await database.asSystem(async (db) => {
    await db.updateTable("work_order_file").set({ sha256, content }).where("id", "=", id).execute();
    if (imageKinds.has(content)) await jobs().send(db, "workorder.pictures", { id });
    await notifyClients(db, { institutions: [file.institution_id], service: true }, "workorder", file.work_order_id);
  });
}

async function contentOf(id: string, { name, bytes }: WorkOrderFile): Promise<string> {
  const part = await open(parts().pathOf(id));
  try {
    const { buffer, bytesRead } = await part.read(Buffer.alloc(Math.min(bytes, 65_536)), 0, undefined, 0);
    return recognise(buffer.subarray(0, bytesRead), name, bytes);
  } finally {
    await part.close();
  }
}

export const registerWorkorderPictures = (jobs: Jobs, database: Database): Promise<void> =>
  jobs.work<{ id: string }>("workorder.pictures", ({ id }) => makePictures(database, id));

/** Longer sides in pixels: in a list, and on the screen or on paper. */
const sides = { thumbnail: 320, shown: 1600 } as const;

async function makePictures(database: Database, id: string): Promise<void> {
  const file = await database.asSystem((db) => fileOf(db, id));
  if (!file?.sha256) return;
  const [store, original] = [file.work_order_id, file.sha256];
  if ((await files().bytes("converted", store, original)) === null) return;
  const copy = (side: number, as: "webp" | "jpeg") =>
    files().local("converted", store, original, (path) => imageCopy({ path, side, as }));
  const [small, large] = [await copy(sides.thumbnail, "webp"), await copy(sides.shown, "jpeg")];
  if (!small || !large) return;
  const [thumbnail, shown] = [
    await files().put("converted", store, small.bytes),
    await files().put("converted", store, large.bytes),
  ];
  await database.asSystem(async (db) => {
    await db
      .updateTable("work_order_file")
      .set({
        thumbnail_sha256: thumbnail.sha256,
        shown_sha256: shown.sha256,
        shown_width: large.width,
        shown_height: large.height,
      })
      .where("id", "=", id)
      .execute();
    await notifyClients(db, { institutions: [file.institution_id], service: true }, "workorder", store);
  });
}
