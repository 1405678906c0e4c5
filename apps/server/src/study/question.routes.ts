import { questionCalls, type StudyAnswer, type StudyQuestion } from "@arcada/contract/study/question.calls";
import { audit } from "../platform/audit/audit.ts";
import type { MemberContext } from "../platform/http/request-context.ts";
import { tell, notifyClients } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { agreement, holdCollection } from "../domain/patient-matching.ts";
import { candidateOf, namedOf, personOf } from "./person-named.ts";
import * as store from "./question.store.ts";
import { needGiven, ownStudyOf, signer } from "./study.guards.ts";
import { studyRowOf } from "./study.ts";
import { binStudy } from "./study.store.ts";

/** Calls on studies that were uploaded for a patient and name another person. */
export const questionRoutes = routes(questionCalls, {
  questions: async ({ patientId }, context) => {
    context.subject = patientId;
    return questionsOf(context, patientId);
  },
  answer: async ({ patientId, studies, answer }, context) => {
    const { db, asker } = context;
    context.subject = patientId;
    context.detail = { patient: patientId, studies, answer };
    const wanted = [...new Set(studies)].toSorted();
    await holdCollection(db, asker.iid, patientId);
    if (!(await store.holdRecord(db, asker.iid, patientId))) return refuse("notFound");
    if (!(await store.takeQuestions(db, asker.iid, patientId, wanted)))
      return refuse("studyAnswered", await questionsOf(context, patientId));
    for (const id of wanted) await actions[answer](context, id, patientId);
    for (const id of wanted) await notifyClients(db, { institutions: [asker.iid] }, "study", id);
    return questionsOf(context, patientId);
  },
});

type Action = (context: MemberContext, study: string, patientId: string) => Promise<void>;

const actions: Record<StudyAnswer, Action> = {
  add: async (context, id, patientId) => {
    const study = await ownStudyOf(context, id);
    await needGiven(context, study, { from: null, patientId, acceptMismatch: true });
    await note(context, "study.attach", id, patientId);
    if (study.state !== "ready") return;
    await tell(context.db, {
      name: "studyReady",
      studyId: id,
      patientId,
      institution: context.asker.iid,
      user: context.asker.uid,
      kind: study.kind,
      again: false,
      sent: false,
    });
  },
  // The study is shown in the inbox from now on, because no question hides it.
  inbox: async () => {},
  discard: async (context, id, patientId) => {
    const study = await ownStudyOf(context, id);
    if (study.state === "converting") return refuse("studyBusy");
    if (await store.isAskedElsewhere(context.db, context.asker.iid, id)) return;
    await binStudy(context.db, study);
    await note(context, "study.remove", id, patientId);
  },
};

const note = ({ db, asker }: MemberContext, action: string, study: string, patient: string): Promise<void> =>
  audit(db, { institution_id: asker.iid, user_id: asker.uid, action, subject: study, detail: { patient } });

async function questionsOf({ db, asker }: MemberContext, patientId: string): Promise<StudyQuestion[]> {
  const record = (await store.recordOf(db, asker.iid, patientId)) ?? refuse("notFound");
  const sign = signer();
  return (await store.questionsAt(db, asker.iid, patientId)).map((row) => {
    const files = namedOf(row);
    return {
      ...studyRowOf(row, sign),
      person: personOf(row),
      patient: candidateOf({ ...record, agrees: files ? agreement(files, record) : [] }),
      files: { names: row.files.slice(0, namesShown), count: row.files.length },
      askedAt: row.asked_at,
      untilAt: row.until_at,
    };
  });
}

const namesShown = 5;
