import type { Parsed } from "@arcada/contract/kernel/call";
import type { reportCalls } from "@arcada/contract/report/report.calls";
import { reportLifecycle } from "@arcada/contract/report/report.lifecycle";
import { reportForm } from "@arcada/contract/report/report.schema";
import type { MemberContext } from "../platform/http/request-context.ts";
import { refuse } from "../platform/http/refuse.ts";
import { toBasis } from "./report.content.ts";
import { loadSources } from "./report.sources.ts";
import { lockReport, insertReport, findRelatedReports, transitionReport, removeDraft } from "./report.store.ts";
import type { ReportRecord } from "./report.store.ts";
import { openActions } from "./report.view.ts";

/** Applies one step of a person; returns the report to show now, or null if it was deleted. */
export async function applyReportStep(
  context: MemberContext,
  input: Parsed<typeof reportCalls.step>,
): Promise<string | null> {
  const { db, principal } = context;
  const { action } = input;
  const row = (await lockReport(db, principal.iid, input.id)) ?? refuse("notFound");
  if (row.version !== input.version) refuse("reportChanged");
  const { next } = await findRelatedReports(db, principal.iid, row.id, row.previous_id);
  if (action === "amend" && row.state === "signed" && next) refuse("reportCorrected");
  if (!openActions(row, context, next !== null).includes(action)) refuse("reportActionNotAllowed");
  context.detail = { patient: row.patient_id, number: row.number, action };
  const seen = { iid: principal.iid, id: row.id, version: row.version };
  if (action === "amend") return createAmendment(context, row);
  if (action === "remove") {
    if (!(await removeDraft(db, seen))) refuse("reportChanged");
    return null;
  }
  const { from, to } = reportLifecycle.steps[action];
  const move = { from, to: to[0]! };
  const ended =
    action === "withdraw"
      ? { uid: principal.uid, reason: input.reason || refuse("reportReasonMissing", { reason: "required" }) }
      : null;
  if (!(await transitionReport(db, seen, ended ? { ...move, ended } : move))) refuse("reportChanged");
  return row.id;
}

/** A draft that begins as the signed one, of the patient as they are now. */
async function createAmendment({ db, principal, now }: MemberContext, row: ReportRecord): Promise<string> {
  const { patient_id: patientId, source } = row;
  const form = reportForm.parse(row.form);
  const sources = await loadSources(db, { iid: principal.iid, patientId, form, at: now });
  const id = await insertReport(db, {
    iid: principal.iid,
    uid: principal.uid,
    patientId,
    source,
    form,
    basis: toBasis(sources ?? refuse("notFound")),
    previousId: row.id,
  });
  return id ?? refuse("reportCorrected");
}
