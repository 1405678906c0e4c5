import { createHash } from "node:crypto";
import type { Parsed } from "@arcada/contract/kernel/call";
import { offeredLanguages } from "@arcada/contract/kernel/languages";
import type { Report, reportCalls } from "@arcada/contract/report/report.calls";
import { reportContent, reportRules } from "@arcada/contract/report/report.schema";
import type { ReportContent } from "@arcada/contract/report/report.schema";
import type { ManualTransactionContext, MemberContext } from "../platform/http/request-context.ts";
import { audit } from "../platform/audit/audit.ts";
import { notifyClients, publish } from "../platform/events/events.ts";
import { renderPdf } from "../platform/pdf/pdf-blocks.ts";
import { refuse } from "../platform/http/refuse.ts";
import { files } from "../platform/runtime/services.ts";
import { demandStepUp } from "../platform/security/step-up.ts";
import { loadDocumentAssets } from "./load-pdf-images.ts";
import { reportSigned } from "./report.events.ts";
import { buildReportDocument } from "./report.document.ts";
import { storeReportImages } from "./report.images.ts";
import { lockSources } from "./report.sources.ts";
import {
  findLicence,
  lockReport,
  insertDocument,
  findRelatedReports,
  markAmended,
  signReport,
} from "./report.store.ts";
import type { ReportRecord } from "./report.store.ts";
import { loadCurrentContent, loadReport } from "./report.view.ts";

type ManualContext = ManualTransactionContext<MemberContext>;
type SignInput = Parsed<typeof reportCalls.sign>;

/**
 * Signs a report: the signer must authenticate again, and signs what they saw; its documents are rendered first, so
 * that their hashes are stored with it.
 */
export async function signReportAs(context: ManualContext, input: SignInput): Promise<Report> {
  const { password, code, passkey } = input;
  await demandStepUp(context, { password, code, passkey, mustShow: true });
  const { content, row } = await context.inTransaction((inside) => requireSignable(inside, input));
  const sha256 = hashContent(content);
  const documents = await renderDocuments(context, row, content, sha256);
  return context.inTransaction(async (inside) => {
    const { db, principal } = inside;
    await lockSources(db, principal.iid, row.patient_id);
    await requireSignable(inside, input);
    const signed = {
      uid: principal.uid,
      at: content.signature!.at,
      licence: content.signature!.licence,
      content,
      sha256,
    };
    if (!(await signReport(db, { iid: principal.iid, id: row.id, version: input.version }, signed)))
      refuse("reportChanged");
    for (const paper of documents)
      await insertDocument(db, { institution_id: principal.iid, report_id: row.id, ...paper });
    if (row.previous_id) await markAmended(db, principal.iid, row.previous_id);
    await audit(db, {
      institution_id: principal.iid,
      user_id: principal.uid,
      action: "report.sign",
      subject: row.id,
      detail: {
        patient: row.patient_id,
        number: row.number,
        sha256,
        papers: Object.fromEntries(documents.map((paper) => [paper.language, paper.sha256])),
      },
      address: context.address,
      request_id: context.requestId,
    });
    await publish(db, reportSigned, { institution: principal.iid, reportId: row.id, patientId: row.patient_id });
    await notifyClients(db, { institutions: [principal.iid] }, "report", row.id);
    return loadReport(inside, row.id);
  });
}

/** Returns the content to be signed; refuses if it is not what its writer saw. */
async function requireSignable(
  { db, principal, now }: MemberContext,
  input: SignInput,
): Promise<{ content: ReportContent; row: ReportRecord }> {
  const row = (await lockReport(db, principal.iid, input.id)) ?? refuse("notFound");
  if (row.content) return refuse("reportActionNotAllowed");
  if (row.version !== input.version) return refuse("reportChanged");
  const { previous } = await findRelatedReports(db, principal.iid, row.id, row.previous_id);
  const { content, changes } = await loadCurrentContent(db, row, previous?.number ?? null);
  if (changes) return refuse("reportMoved", { changes });
  const licence = (await findLicence(db, principal.iid, principal.uid)) ?? refuse("licenceMissing");
  const { examination, diagnosis } = content.form;
  if (!examination && !diagnosis) refuse("reportEmpty", { diagnosis: "required" });
  const signature = {
    name: principal.name,
    licence,
    at: now.toISOString(),
    meaning: "reviewed",
  } as const;
  return { content: reportContent.parse({ ...content, signature }), row };
}

/** Returns the same hash for the same content, regardless of the order of its keys. */
export const hashContent = (content: ReportContent): string =>
  createHash("sha256").update(canonicalJson(content)).digest("hex");

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonicalJson(one)}`).join(",")}}`;
}

/** Renders the document in each language and stores it. */
async function renderDocuments(
  { database, principal }: ManualContext,
  row: ReportRecord,
  content: ReportContent,
  sha256: string,
) {
  const { iid, uid } = principal;
  const images = await storeReportImages(database, { iid, uid, id: row.id }, content);
  const assets = await loadDocumentAssets(
    database,
    { iid, uid },
    { state: "signed", sha256, ended: null, nextNumber: null },
    images,
  );
  const documents: { language: string; sha256: string; bytes: number }[] = [];
  for (const language of offeredLanguages) {
    const pdf = await renderPdf(buildReportDocument(content, assets, language));
    if (pdf.length > reportRules.paperBytes) refuse("reportPaperTooLarge", { images: "reportPaperTooLarge" });
    documents.push({ language, ...(await files().put("converted", iid, pdf)) });
  }
  return documents;
}
