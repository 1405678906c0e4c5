import { consentCalls, consentTexts, type Consent } from "@arcada/contract/consent/consent.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import { notifyClients } from "../platform/events/events.ts";
import { fileUrl } from "../platform/storage/file-url.ts";
import { newId } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { secret } from "../platform/runtime/services.ts";
import { textOf } from "../platform/text/texts.ts";
import { finishUpload } from "../platform/upload/uploads.ts";
import {
  consentsOf,
  holdPatient,
  insertConsent,
  patientIsThere,
  withdrawConsents,
  type ConsentRow,
} from "./consent.store.ts";

export const consentRoutes = routes(consentCalls, {
  list: async ({ patientId }, context) => {
    if (!(await patientIsThere(context.db, context.asker.iid, patientId))) return refuse("notFound");
    return consentsNow(context, patientId);
  },
  give: async ({ patientId, kind, how, ...given }, context) => {
    const { db, asker, language } = context;
    await needPatient(context, patientId);
    const scan = how === "paper" && given.upload !== null ? await finishUpload(context, asker.iid, given.upload) : null;
    await insertConsent(db, {
      institution_id: asker.iid,
      id: newId(),
      patient_id: patientId,
      kind,
      how,
      text_version: how === "screen" ? consentTexts[kind] : given.textVersion,
      words: how === "screen" ? textOf(language, "consent", `words.${kind}`) : null,
      given_by: given.givenBy,
      given_for: given.givenFor,
      given_at: given.givenAt,
      scan_sha256: scan?.sha256 ?? null,
      scan_name: scan?.name ?? null,
      scan_bytes: scan?.bytes ?? null,
      note: given.note,
      recorded_by: asker.uid,
      withdrawn_at: null,
      withdrawn_by: null,
      withdrawn_note: null,
      withdrawal_recorded_by: null,
    });
    return told(context, patientId, kind);
  },
  withdraw: async ({ patientId, kind, ...how }, context) => {
    const { db, asker } = context;
    await needPatient(context, patientId);
    const of = { iid: asker.iid, uid: asker.uid, patientId, kind };
    if (!(await withdrawConsents(db, of, how))) return refuse("consentNotGiven");
    return told(context, patientId, kind);
  },
});

async function needPatient(context: MemberContext, patientId: string): Promise<void> {
  if (!(await holdPatient(context.db, context.asker.iid, patientId))) refuse("notFound");
}

async function told(context: MemberContext, patientId: string, kind: string): Promise<Consent[]> {
  context.detail = { kind };
  await notifyClients(context.db, { institutions: [context.asker.iid] }, "patient", patientId);
  return consentsNow(context, patientId);
}

async function consentsNow(context: MemberContext, patientId: string): Promise<Consent[]> {
  context.subject = patientId;
  return (await consentsOf(context.db, context.asker.iid, patientId)).map(consentOf);
}

const consentOf = (row: ConsentRow): Consent => ({
  id: row.id,
  kind: row.kind,
  textVersion: row.text_version,
  words: row.words,
  how: row.how,
  givenBy: row.given_by,
  givenFor: row.given_for,
  givenAt: row.given_at,
  scan: row.scan_sha256 === null || row.scan_name === null ? null : scanOf(row, row.scan_sha256, row.scan_name),
  note: row.note,
  recordedBy: row.recorder,
  withdrawn:
    row.withdrawn_at === null
      ? null
      : {
          at: row.withdrawn_at,
          by: row.withdrawn_by ?? "",
          note: row.withdrawn_note,
          recordedBy: row.withdrawal_recorder ?? "",
        },
});

const scanOf = ({ institution_id: iid }: ConsentRow, sha256: string, name: string) => ({
  name,
  url: fileUrl(secret(), { area: "originals", iid, sha256, name, type: "application/octet-stream", download: true }),
});
