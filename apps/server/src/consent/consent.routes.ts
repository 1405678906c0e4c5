import { consentCalls, consentTexts, type Consent } from "@arcada/contract/consent/consent.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import { notifyClients } from "../platform/events/events.ts";
import { createFileUrl } from "../platform/storage/file-url.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { secret } from "../platform/runtime/services.ts";
import { translate } from "../platform/text/texts.ts";
import { finishUpload } from "../platform/upload/finish-uploads.ts";
import {
  listConsents,
  lockPatient,
  insertConsent,
  patientExists,
  withdrawConsents,
  type ConsentRow,
} from "./consent.store.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

export const consentRoutes = routes(consentCalls, {
  list: async ({ patientId }, context) => {
    if (!(await patientExists(context.db, context.principal.iid, patientId))) return refuse("notFound");
    return loadConsents(context, patientId);
  },
  give: async ({ patientId, kind, how, ...given }, context) => {
    const { db, principal, language } = context;
    await requirePatient(context, patientId);
    const scan =
      how === "paper" && given.upload !== null ? await finishUpload(context, principal.iid, given.upload) : null;
    await insertConsent(db, {
      institution_id: principal.iid,
      id: newId(),
      patient_id: patientId,
      kind,
      how,
      text_version: how === "screen" ? consentTexts[kind] : given.textVersion,
      words: how === "screen" ? translate(language, "consent", `words.${kind}`) : null,
      given_by: given.givenBy,
      given_for: given.givenFor,
      given_at: given.givenAt,
      scan_sha256: scan?.sha256 ?? null,
      scan_name: scan?.name ?? null,
      scan_bytes: scan?.bytes ?? null,
      note: given.note,
      recorded_by: principal.uid,
      withdrawn_at: null,
      withdrawn_by: null,
      withdrawn_note: null,
      withdrawal_recorded_by: null,
    });
    return notifyAndLoad(context, patientId, kind);
  },
  withdraw: async ({ patientId, kind, ...how }, context) => {
    const { db, principal } = context;
    await requirePatient(context, patientId);
    const of = { iid: principal.iid, uid: principal.uid, patientId, kind };
    if (!(await withdrawConsents(db, of, how))) return refuse("consentNotGiven");
    return notifyAndLoad(context, patientId, kind);
  },
});

async function requirePatient(context: MemberContext, patientId: string): Promise<void> {
  if (!(await lockPatient(context.db, context.principal.iid, patientId))) refuse("notFound");
}

async function notifyAndLoad(context: MemberContext, patientId: string, kind: string): Promise<Consent[]> {
  context.detail = { kind };
  await notifyClients(context.db, { institutions: [context.principal.iid] }, "patient", patientId);
  return loadConsents(context, patientId);
}

async function loadConsents(context: MemberContext, patientId: string): Promise<Consent[]> {
  context.subject = patientId;
  return (await listConsents(context.db, context.principal.iid, patientId)).map(toConsent);
}

const toConsent = (row: ConsentRow): Consent => ({
  ...pickColumns(row, "id", "kind", "text_version", "words", "how", "given_by", "given_for", "given_at", "note"),
  scan: row.scan_sha256 === null || row.scan_name === null ? null : toScan(row, row.scan_sha256, row.scan_name),
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

const toScan = ({ institution_id: iid }: ConsentRow, sha256: string, name: string) => ({
  name,
  url: createFileUrl(secret(), {
    area: "originals",
    iid,
    sha256,
    name,
    type: "application/octet-stream",
    download: true,
  }),
});
