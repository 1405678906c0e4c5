import { studyQuestionCalls, type StudyAnswer, type StudyQuestion } from "@arcada/contract/study/study-question.calls";
import { audit } from "../../platform/audit/audit.ts";
import type { MemberContext } from "../../platform/http/request-context.ts";
import { publish, notifyClients } from "../../platform/events/events.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { findAgreement, lockCollection } from "../../domain/patient-matching.ts";
import { toCandidate, personInFiles, toInboxPerson } from "./person-in-files.ts";
import * as store from "./question.store.ts";
import { requireOwnStudy } from "../study.guards.ts";
import { moveStudyOrRefuse } from "../move/move-study-or-refuse.ts";
import { createFileSigner } from "../file-signer.ts";
import { toStudyRow } from "../study.view.ts";
import { moveStudyToBin } from "../study.store.ts";
import { studyReady } from "../study.events.ts";
import { pickColumns } from "../../platform/database/camel-case-columns.ts";

/** Calls on studies that were uploaded for a patient and name another person. */
export const questionRoutes = routes(studyQuestionCalls, {
  questions: async ({ patientId }, context) => {
    context.subject = patientId;
    return loadQuestions(context, patientId);
  },
  answer: async ({ patientId, studies, answer }, context) => {
    const { db, principal } = context;
    context.subject = patientId;
    context.detail = { patient: patientId, studies, answer };
    const wanted = [...new Set(studies)].toSorted();
    await lockCollection(db, principal.iid, patientId);
    if (!(await store.lockRecord(db, principal.iid, patientId))) return refuse("notFound");
    if (!(await store.removeQuestions(db, principal.iid, patientId, wanted)))
      return refuse("studyAnswered", await loadQuestions(context, patientId));
    for (const id of wanted) await answerActions[answer](context, id, patientId);
    for (const id of wanted) await notifyClients(db, { institutions: [principal.iid] }, "study", id);
    return loadQuestions(context, patientId);
  },
});

type Action = (context: MemberContext, study: string, patientId: string) => Promise<void>;

const answerActions: Record<StudyAnswer, Action> = {
  add: async (context, id, patientId) => {
    const study = await requireOwnStudy(context, id);
    await moveStudyOrRefuse(context, study, { from: null, patientId, acceptMismatch: true });
    await auditAnswer(context, "study.attach", id, patientId);
    if (study.state !== "ready") return;
    await publish(context.db, studyReady, {
      studyId: id,
      patientId,
      job: study.job_id,
      institution: context.principal.iid,
      user: context.principal.uid,
      kind: study.kind,
      again: false,
      sent: false,
    });
  },
  // The study is shown in the inbox from now on, because no question hides it.
  inbox: async () => {},
  discard: async (context, id, patientId) => {
    const study = await requireOwnStudy(context, id);
    if (study.state === "converting") return refuse("studyBusy");
    if (await store.isQuestionElsewhere(context.db, context.principal.iid, id)) return;
    await moveStudyToBin(context.db, study);
    await auditAnswer(context, "study.remove", id, patientId);
  },
};

const auditAnswer = ({ db, principal }: MemberContext, action: string, study: string, patient: string): Promise<void> =>
  audit(db, { institution_id: principal.iid, user_id: principal.uid, action, subject: study, detail: { patient } });

async function loadQuestions({ db, principal }: MemberContext, patientId: string): Promise<StudyQuestion[]> {
  const record = (await store.findRecord(db, principal.iid, patientId)) ?? refuse("notFound");
  const sign = createFileSigner();
  return (await store.listQuestions(db, principal.iid, patientId)).map((row) => {
    const files = personInFiles(row);
    return {
      ...toStudyRow(row, sign),
      person: toInboxPerson(row),
      patient: toCandidate({ ...record, agrees: files ? findAgreement(files, record) : [] }),
      files: { names: row.files.slice(0, maxFileNames), count: row.files.length },
      ...pickColumns(row, "asked_at", "until_at"),
    };
  });
}

const maxFileNames = 5;
