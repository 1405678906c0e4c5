import { mayTakeOriginal } from "@arcada/contract/order/order.rights";
import { outgoingCalls } from "@arcada/contract/study/outgoing.calls";
import { archiveUrl } from "../../platform/http/archive-routes.ts";
import type { MemberContext } from "../../platform/http/request-context.ts";
import { newId } from "../../platform/runtime/ids.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve.ts";
import { lentStudy, patientLives } from "../study.store.ts";
import { downloadOf, filesOf, insertDownload } from "./download.store.ts";
import { tellingStudies } from "./telling.ts";

export const outgoingRoutes = routes(outgoingCalls, {
  telling: async ({ patientId }, { db, asker }) => {
    if (!(await patientLives(db, asker.iid, patientId))) refuse("notFound");
    return tellingStudies(db, asker.iid, patientId);
  },
  download: async ({ studies, nameless }, context) => {
    const { db, asker, now, language } = context;
    const wanted = [...new Set(studies)];
    const lent = wanted.length === 1 ? await lentStudy(db, asker.iid, wanted[0]!) : undefined;
    const owner = lent?.study.institution_id ?? asker.iid;
    const found = await filesOf(db, owner, wanted);
    if (new Set(found.map(({ study_id }) => study_id)).size < wanted.length) refuse("notFound");
    const patients = new Set(found.map(({ patient_id }) => patient_id));
    if (patients.size > 1) refuse("badInput", { studies: "onePatient" });
    const dicom = found.some(({ format }) => format === "dicom");
    if (lent && !lent.lendings.some((order) => mayTakeOriginal(order, { dicom }, now))) refuse("notAllowed");
    const id = newId();
    await insertDownload(db, {
      institution_id: asker.iid,
      id,
      user_id: asker.uid,
      owner_id: owner,
      // The order that reveals least about the patient.
      order_id: lent?.lendings[0]?.order ?? null,
      studies: wanted,
      nameless: nameless ?? null,
      language,
      files: found.length,
    });
    noteDownload(context, (lent ? null : [...patients][0]) ?? wanted[0]!, {
      files: found.length,
      studies: wanted,
      deidentified: nameless !== undefined,
    });
    const bytes = found.reduce((sum, file) => sum + file.bytes, 0);
    return { id, url: archiveUrl("study", asker.iid, id, now), files: found.length, bytes };
  },
  downloadState: async ({ id }, { db, asker }) => {
    const row = await downloadOf(db, asker.iid, id);
    if (row?.user_id !== asker.uid) return refuse("notFound");
    return { id, state: row.state, files: row.files, done: row.done };
  },
});

function noteDownload(context: MemberContext, subject: string, detail: MemberContext["detail"]): void {
  context.subject = subject;
  context.detail = detail;
}
