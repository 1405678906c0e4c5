import { studyCalls } from "@arcada/contract/study/study.calls";
import { isFixedKind } from "@arcada/contract/study/study.rules";
import { notifyClients } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import {
  confirmKind,
  findNameInFiles,
  isInOpenOrder,
  listStudies,
  loadStudyParts,
  lockStudy,
  markStudyUsed,
  moveStudyToBin,
  setKind,
} from "./study.store.ts";
import { requirePatient, requireOwnStudy } from "./study.guards.ts";
import { moveStudyOrRefuse } from "./move/move-study-or-refuse.ts";
import { createFileSigner } from "./file-signer.ts";
import { toStudy, toStudyRow } from "./study.view.ts";
import { requireReadableStudy } from "./require-readable-study.ts";

export const studyRoutes = routes(studyCalls, {
  list: async ({ patientId, kind }, context) => {
    await requirePatient(context, patientId);
    context.subject = patientId;
    const rows = await listStudies(context.db, context.principal.iid, patientId, kind);
    return rows.map((row) => toStudyRow(row, createFileSigner()));
  },
  detail: async ({ id, brief = false }, context) => {
    const { study, patientName, ...reader } = await requireReadableStudy(context, id);
    const found = await loadStudyParts(context.db, study);
    await markStudyUsed(context.db, study, context.now);
    const fileName = reader.owns ? await findNameInFiles(context.db, study) : null;
    return toStudy({ study, patientName, fileName, ...found }, { ...reader, brief, sign: createFileSigner() });
  },
  attach: async ({ id, patientId, kind, acceptMismatch }, context) => {
    const study = await requireOwnStudy(context, id);
    if (patientId) {
      await requirePatient(context, patientId);
      await moveStudyOrRefuse(context, study, { from: null, patientId, acceptMismatch });
      context.detail = { patient: patientId };
    }
    if (kind && isFixedKind(study.kind)) return refuse("badInput", { kind: "invalid" });
    if (kind) await setKind(context.db, study, kind);
    await notifyClients(context.db, { institutions: [context.principal.iid] }, "study", id);
    return toStudyRow(await requireOwnStudy(context, id), createFileSigner());
  },
  confirmKinds: async ({ patientId, studies }, context) => {
    await requirePatient(context, patientId);
    context.subject = patientId;
    const { iid } = context.principal;
    const own = new Set((await listStudies(context.db, iid, patientId, undefined)).map(({ id }) => id));
    if (studies.some(({ id }) => !own.has(id))) return refuse("notFound");
    let confirmed = 0;
    for (const [kind, alike] of Map.groupBy(studies, (one) => one.kind))
      confirmed += await confirmKind(
        context.db,
        iid,
        alike.map(({ id }) => id),
        kind,
      );
    await notifyClients(context.db, { institutions: [iid] }, "study", patientId);
    return { confirmed };
  },
  remove: async ({ id }, context) => {
    const study = (await lockStudy(context.db, await requireOwnStudy(context, id))) ?? refuse("notFound");
    if (study.state === "converting" || (await isInOpenOrder(context.db, study))) return refuse("studyBusy");
    await moveStudyToBin(context.db, study);
    await notifyClients(context.db, { institutions: [context.principal.iid] }, "study", id);
    return null;
  },
});
