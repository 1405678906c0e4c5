import { createHash } from "node:crypto";
import type { Parsed } from "@arcada/contract/kernel/call";
import { offeredLanguages } from "@arcada/contract/kernel/languages";
import type { Report, reportCalls } from "@arcada/contract/report/report.calls";
import { reportContent, reportRules } from "@arcada/contract/report/report.shape";
import type { ReportContent } from "@arcada/contract/report/report.shape";
import type { ManualTransactionContext, MemberContext } from "../platform/http/request-context.ts";
import { audit } from "../platform/audit/audit.ts";
import { notifyClients } from "../platform/events/events.ts";
import { makePdf } from "../platform/pdf/pdf.ts";
import { refuse } from "../platform/http/refuse.ts";
import { files } from "../platform/runtime/services.ts";
import { demandStepUp } from "../platform/security/step-up.ts";
import { aroundOf } from "./report.around.ts";
import { reportPaper } from "./report.paper.ts";
import { keepPictures } from "./report.pictures.ts";
import { holdSources } from "./report.sources.ts";
import { holdReport, insertPaper, kinOf, replaceReport, signReport } from "./report.store.ts";
import type { ReportRecord } from "./report.store.ts";
import { saidNow, viewReport } from "./report.view.ts";

type Apart = ManualTransactionContext<MemberContext>;
type Wish = Parsed<typeof reportCalls.sign>;

/**
 * Signs a report: the signer must authenticate again, and signs what they saw; its papers are rendered first, so that
 * their hashes are stored with it.
 */
export async function sign(context: Apart, wish: Wish): Promise<Report> {
  const { password, code, passkey } = wish;
  await demandStepUp(context, { password, code, passkey, mustShow: true });
  const { content, row } = await context.inTransaction((inside) => toSign(inside, wish));
  const sha256 = contentHash(content);
  const papers = await papersFor(context, row, content, sha256);
  return context.inTransaction(async (inside) => {
    const { db, asker } = inside;
    await holdSources(db, asker.iid, row.patient_id);
    await toSign(inside, wish);
    const signed = { uid: asker.uid, at: content.signature!.at, licence: wish.licence, content, sha256 };
    if (!(await signReport(db, { iid: asker.iid, id: row.id, version: wish.version }, signed))) refuse("reportChanged");
    for (const paper of papers) await insertPaper(db, { institution_id: asker.iid, report_id: row.id, ...paper });
    if (row.previous_id) await replaceReport(db, asker.iid, row.previous_id);
    await audit(db, {
      institution_id: asker.iid,
      user_id: asker.uid,
      action: "report.sign",
      subject: row.id,
      detail: {
        patient: row.patient_id,
        number: row.number,
        sha256,
        papers: Object.fromEntries(papers.map((paper) => [paper.language, paper.sha256])),
      },
      address: context.address,
      request_id: context.requestId,
    });
    await notifyClients(db, { institutions: [asker.iid] }, "report", row.id);
    return viewReport(inside, row.id);
  });
}

/** Returns the content to be signed; refuses if it is not what its writer saw. */
async function toSign(
  { db, asker, now }: MemberContext,
  wish: Wish,
): Promise<{ content: ReportContent; row: ReportRecord }> {
  const row = (await holdReport(db, asker.iid, wish.id)) ?? refuse("notFound");
  if (row.content) return refuse("reportActionNotAllowed");
  if (row.version !== wish.version) return refuse("reportChanged");
  const { previous } = await kinOf(db, asker.iid, row.id, row.previous_id);
  const { content, changes } = await saidNow(db, row, previous?.number ?? null);
  if (changes) return refuse("reportMoved", { changes });
  const { examination, diagnosis } = content.form;
  if (!examination && !diagnosis) refuse("reportEmpty", { diagnosis: "required" });
  const signature = { name: asker.name, licence: wish.licence, at: now.toISOString(), meaning: "reviewed" } as const;
  return { content: reportContent.parse({ ...content, signature }), row };
}

/** Returns the same hash for the same content, whatever the order of its keys. */
export const contentHash = (content: ReportContent): string =>
  createHash("sha256").update(canonical(content)).digest("hex");

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(",")}}`;
}

/** Renders the paper in each language and stores it. */
async function papersFor({ database, asker }: Apart, row: ReportRecord, content: ReportContent, sha256: string) {
  const { iid, uid } = asker;
  const pictures = await keepPictures(database, { iid, uid, id: row.id }, content);
  const around = await aroundOf(
    database,
    { iid, uid },
    { state: "signed", sha256, ended: null, nextNumber: null },
    pictures,
  );
  const papers: { language: string; sha256: string; bytes: number }[] = [];
  for (const language of offeredLanguages) {
    const pdf = await makePdf(reportPaper(content, around, language));
    if (pdf.length > reportRules.paperBytes) refuse("reportPaperTooLarge", { images: "reportPaperTooLarge" });
    papers.push({ language, ...(await files().put("converted", iid, pdf)) });
  }
  return papers;
}
