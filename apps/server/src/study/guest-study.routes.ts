import { sharedStudyCalls } from "@arcada/contract/study/shared-study.calls";
import type { Study } from "@arcada/contract/study/study.schema";
import { sql } from "kysely";
import { archiveUrl } from "../platform/http/zip-archive-routes.ts";
import { requireGuestSession, type Context } from "../platform/http/request-context.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { logGuestDownload, logGuestView } from "../share/guest-access-log.writes.ts";
import { listPackedFiles, insertDownload } from "./download/download.store.ts";
import { findAnnotations } from "./annotations/annotations.store.ts";
import { reconvertStudy } from "./conversion/reconvert-study.ts";
import { createFileSigner } from "./file-signer.ts";
import * as store from "./study.store.ts";
import { toStudy } from "./study.view.ts";
import type { Row } from "../tables/row.ts";

export const guestStudyRoutes = routes(sharedStudyCalls, {
  study: async ({ id }, context) => {
    const { db, now } = context;
    const guestSession = requireGuestSession(context);
    const study = await requireSharedStudy(context, id);
    const found = await store.loadStudyParts(db, study);
    await store.markStudyUsed(db, study, now);
    if (study.state === "unconverted") await reconvertStudy(db, study, study.created_by);
    await logGuestView(context);
    const patientName = guestSession.isDeidentified ? "" : await findPatientName(context, study);
    const reader = {
      owns: false,
      masked: guestSession.isDeidentified,
      clean: guestSession.isDeidentified ? guestSession.shareId : null,
    };
    // Downloads are archives, which are recorded; addresses of originals are not returned.
    const shown = toStudy(
      { study, patientName, fileName: null, ...found },
      { ...reader, mayTake: () => false, sign: createFileSigner() },
    );
    const seen = guestSession.kind === "order" ? await restrictToSharedFiles(context, shown) : shown;
    return guestSession.isDeidentified ? deidentifyStudy(seen, guestSession.since) : seen;
  },
  marks: async ({ id }, context) => {
    const kept = await findAnnotations(context.db, await requireSharedStudy(context, id));
    return requireGuestSession(context).isDeidentified
      ? { ...kept, marks: kept.marks.map((mark) => ({ ...mark, text: null })) }
      : kept;
  },
  download: async ({ id: studyId }, context) => {
    const { db, now, language } = context;
    const guestSession = requireGuestSession(context);
    const study = await requireSharedStudy(context, studyId);
    // The files of an order are only downloaded together.
    if (guestSession.kind === "order") return refuse("notFound");
    if (!guestSession.mayDownload) return refuse("notAllowed");
    const found = await listPackedFiles(db, guestSession.iid, [study.id]);
    const id = newId();
    await insertDownload(db, {
      institution_id: guestSession.iid,
      id,
      user_id: null,
      owner_id: guestSession.iid,
      order_id: null,
      studies: [study.id],
      nameless: guestSession.isDeidentified ? { dates: "removed" } : null,
      language,
      files: found.length,
    });
    await logGuestDownload(context);
    const bytes = found.reduce((sum, file) => sum + file.bytes, 0);
    return { url: archiveUrl("study", guestSession.iid, id, now), files: found.length, bytes };
  },
});

/** Returns the patient's name; a lab shows no more of it than came with the order. */
async function findPatientName(context: Context, study: store.StudyRecord): Promise<string> {
  const { db } = context;
  const { iid, sharedBy: institution, thingId } = requireGuestSession(context);
  if (institution === iid) return store.findPatientName(db, iid, study);
  const order = await db
    .selectFrom("orders")
    .select("patient_name")
    .where("institution_id", "=", iid)
    .where("id", "=", thingId)
    .executeTakeFirst();
  return order?.patient_name ?? "";
}

/** Returns the study of the link, or one of its order; any other is treated like one that does not exist. */
async function requireSharedStudy(context: Context, id: string): Promise<store.StudyRecord> {
  const guestSession = requireGuestSession(context);
  const isShared =
    guestSession.kind === "study" ? guestSession.thingId === id : (await listSharedOrderFiles(context, id)).length > 0;
  if (!isShared) return refuse("notFound");
  return (await store.findOwnStudy(context.db, guestSession.iid, id)) ?? refuse("notFound");
}

/**
 * For a study that belongs to a shared order, if its images are shared: returns the files as the order contains them.
 */
async function listSharedOrderFiles(context: Context, study: string): Promise<string[]> {
  const { iid, shareId } = requireGuestSession(context);
  const { rows } = await sql<Row<"order_file", "id">>`select f.id from share h
    join order_file f on f.institution_id = h.institution_id and f.order_id = h.thing_id
    where h.institution_id = ${iid} and h.id = ${shareId} and h.kind = 'order' and h.pictures
      and f.study_id = ${study} and f.side = 'sender' and f.message_id is null`.execute(context.db);
  return rows.map(({ id }) => id);
}

/** Files that were added to the study after the order was sent are not part of it; a volume is listed as a whole. */
async function restrictToSharedFiles(context: Context, study: Study): Promise<Study> {
  const sent = new Set(await listSharedOrderFiles(context, study.id));
  if (sent.has(study.id)) return study;
  const series = study.series.map((one) => ({ ...one, instances: one.instances.filter(({ id }) => sent.has(id)) }));
  return { ...study, series: series.filter(({ instances }) => instances.length > 0) };
}

/** The time and settings of an acquisition can identify a patient, and free text does. */
const deidentifyStudy = (study: Study, since: string): Study => ({
  ...study,
  takenAt: null,
  createdAt: since,
  header: [],
  series: study.series.map((one) => ({
    ...one,
    problems: one.problems.map(({ code }) => ({ code, detail: "" })),
  })),
});
