import { mayDownloadOriginal } from "@arcada/contract/order/receiver-rights";
import { studyDownloadCalls } from "@arcada/contract/study/study-download.calls";
import { archiveUrl } from "../../platform/http/zip-archive-routes.ts";
import type { MemberContext } from "../../platform/http/request-context.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { findStudyByOrder, patientExists } from "../study.store.ts";
import { findDownload, listPackedFiles, insertDownload } from "./download.store.ts";
import { listIdentifyingStudies } from "../deidentify/identifying-studies.store.ts";

export const studyDownloadRoutes = routes(studyDownloadCalls, {
  telling: async ({ patientId }, { db, principal }) => {
    if (!(await patientExists(db, principal.iid, patientId))) refuse("notFound");
    return listIdentifyingStudies(db, principal.iid, patientId);
  },
  download: async ({ studies, nameless }, context) => {
    const { db, principal, now, language } = context;
    const wanted = [...new Set(studies)];
    const lent = wanted.length === 1 ? await findStudyByOrder(db, principal.iid, wanted[0]!) : undefined;
    const owner = lent?.study.institution_id ?? principal.iid;
    const found = await listPackedFiles(db, owner, wanted);
    if (new Set(found.map(({ study_id }) => study_id)).size < wanted.length) refuse("notFound");
    const patients = new Set(found.map(({ patient_id }) => patient_id));
    if (patients.size > 1) refuse("badInput", { studies: "onePatient" });
    const dicom = found.some(({ format }) => format === "dicom");
    if (lent && !lent.orderAccess.some((order) => mayDownloadOriginal(order, { dicom }, now))) refuse("notAllowed");
    const id = newId();
    await insertDownload(db, {
      institution_id: principal.iid,
      id,
      user_id: principal.uid,
      owner_id: owner,
      // The order that reveals least about the patient.
      order_id: lent?.orderAccess[0]?.order ?? null,
      studies: wanted,
      nameless: nameless ?? null,
      language,
      files: found.length,
    });
    auditDownload(context, (lent ? null : [...patients][0]) ?? wanted[0]!, {
      files: found.length,
      studies: wanted,
      deidentified: nameless !== undefined,
    });
    const bytes = found.reduce((sum, file) => sum + file.bytes, 0);
    return { id, url: archiveUrl("study", principal.iid, id, now), files: found.length, bytes };
  },
  downloadState: async ({ id }, { db, principal }) => {
    const row = await findDownload(db, principal.iid, id);
    if (row?.user_id !== principal.uid) return refuse("notFound");
    return { id, state: row.state, files: row.files, done: row.done };
  },
});

function auditDownload(context: MemberContext, subject: string, detail: MemberContext["detail"]): void {
  context.subject = subject;
  context.detail = detail;
}
