import { shareRules } from "@arcada/contract/share/share.rules";
import { sharedStudyCalls } from "@arcada/contract/study/shared.calls";
import type { Study } from "@arcada/contract/study/study.calls";
import { sql } from "kysely";
import { archiveUrl } from "../kernel/archives.ts";
import { visitOf, type Context } from "../kernel/asker.ts";
import { newId } from "../kernel/ids.ts";
import { refuse } from "../kernel/refuse.ts";
import { routes } from "../kernel/serve.ts";
import { filesOf, insertDownload } from "./outgoing/download.store.ts";
import { marksOf } from "./marks.store.ts";
import { convertAgain } from "./study.convert.ts";
import { signer } from "./study.guards.ts";
import * as store from "./study.store.ts";
import { studyOf } from "./study.ts";

export const sharedStudyRoutes = routes(sharedStudyCalls, {
  study: async ({ id }, context) => {
    const { db, now } = context;
    const visit = visitOf(context);
    const study = await sharedStudy(context, id);
    const found = await store.partsOf(db, study);
    await store.noteUse(db, study, now);
    if (study.state === "unconverted") await convertAgain(db, study, study.created_by);
    await noteLook(context);
    const patientName = visit.nameless ? "" : await store.patientName(db, visit.iid, study);
    const reader = { owns: false, masked: visit.nameless, clean: visit.nameless ? visit.shareId : null };
    // Files are taken as an archive, which is noted; addresses of originals are not given.
    const shown = studyOf(
      { study, patientName, fileName: null, ...found },
      { ...reader, mayTake: () => false, sign: signer() },
    );
    return visit.nameless ? nameless(shown, visit.since) : shown;
  },
  marks: async ({ id }, context) => {
    const kept = await marksOf(context.db, await sharedStudy(context, id));
    return visitOf(context).nameless ? { ...kept, marks: kept.marks.map((mark) => ({ ...mark, text: null })) } : kept;
  },
  download: async ({ id: studyId }, context) => {
    const { db, now, language } = context;
    const visit = visitOf(context);
    const study = await sharedStudy(context, studyId);
    if (!visit.mayDownload) return refuse("notAllowed");
    const found = await filesOf(db, visit.iid, [study.id]);
    const id = newId();
    await insertDownload(db, {
      institution_id: visit.iid,
      id,
      user_id: null,
      owner_id: visit.iid,
      order_id: null,
      studies: [study.id],
      nameless: visit.nameless ? { dates: "removed" } : null,
      language,
      files: found.length,
    });
    await noteDownload(context);
    const bytes = found.reduce((sum, file) => sum + file.bytes, 0);
    return { url: archiveUrl("study", visit.iid, id, now), files: found.length, bytes };
  },
});

/** The one that the link shares; any other is like one that does not exist. */
async function sharedStudy(context: Context, id: string): Promise<store.StudyRecord> {
  const visit = visitOf(context);
  if (visit.kind !== "study" || visit.thingId !== id) return refuse("notFound");
  return (await store.ownStudy(context.db, visit.iid, id)) ?? refuse("notFound");
}

/** When and how something was taken can name somebody, and free text does. */
const nameless = (study: Study, since: string): Study => ({
  ...study,
  takenAt: null,
  createdAt: since,
  header: [],
  series: study.series.map((one) => ({
    ...one,
    problems: one.problems.map(({ code }) => ({ code, detail: "" })),
  })),
});

/** Once in a visit: a page asks again for the study when its addresses have run out. */
async function noteLook(context: Context): Promise<void> {
  const { id, iid, shareId, mark } = visitOf(context);
  await sql`insert into share_event (institution_id, share_id, what, address)
    select ${iid}, ${shareId}, 'look', ${mark} where not exists (
      select from share_event e join share_visit v on v.id = ${id}
      where e.institution_id = ${iid} and e.share_id = ${shareId} and e.what = 'look' and e.address = ${mark}
        and e.at > v.expires_at - make_interval(mins => ${shareRules.visitMinutes}))`.execute(context.db);
}
async function noteDownload(context: Context): Promise<void> {
  const { iid, shareId, mark } = visitOf(context);
  await sql`insert into share_event (institution_id, share_id, what, address)
    values (${iid}, ${shareId}, 'download', ${mark})`.execute(context.db);
}
