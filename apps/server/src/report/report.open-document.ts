import { buffer } from "node:stream/consumers";
import { offeredLanguages } from "@arcada/contract/kernel/languages";
import type { Database } from "../platform/database/database.ts";
import type { DocumentRequest, OpenDocument } from "../platform/http/pdf-routes.ts";
import { refuse } from "../platform/http/refuse.ts";
import { files } from "../platform/runtime/services.ts";
import { loadDocumentAssets } from "./load-pdf-images.ts";
import { buildReportAnnex } from "./report.annex.ts";
import { buildReportDocument } from "./report.document.ts";
import type { DocumentAssets } from "./report.document-frame.ts";
import { loadReportImages } from "./report.images.ts";
import { findRelatedReports, listDocuments, findReport } from "./report.store.ts";
import { loadCurrentContent } from "./report.view.ts";

/**
 * Opens a signed report as it was signed, byte for byte; any other is rendered from its current state, which is stated
 * on every page.
 */
export const openReportDocument =
  (database: Database): OpenDocument =>
  async (request) => {
    const { iid } = request;
    const read = await readReport(database, request);
    const { row, content, language } = read;
    const name = `${row.number}.pdf`;
    const kept = read.documents.find((paper) => paper.language === language);
    if (row.state === "signed" && kept)
      return { name, pdf: new Uint8Array(await buffer(await files().read("converted", iid, kept.sha256))) };
    return { name, document: buildReportDocument(content, await loadAssets(database, request, read), language) };
  };

/** Opens the technical annex, which is rendered from the content of the report and not stored. */
export const openReportAnnex =
  (database: Database): OpenDocument =>
  async (request) => {
    const read = await readReport(database, request);
    const { row, content, language } = read;
    return {
      name: `${row.number}-annex.pdf`,
      document: buildReportAnnex(content, await loadAssets(database, request, read), language),
    };
  };

async function readReport(database: Database, { iid, uid, id, language }: DocumentRequest) {
  const read = await database.as({ system: false, iid, uid }, async (db) => {
    const row = (await findReport(db, iid, id)) ?? refuse("notFound");
    const relatedReports = await findRelatedReports(db, iid, id, row.previous_id);
    const { content } = await loadCurrentContent(db, row, relatedReports.previous?.number ?? null);
    return { row, relatedReports, content, documents: await listDocuments(db, iid, id) };
  });
  return { ...read, language: offeredLanguages.find((one) => one === language) ?? ("en" as const) };
}

async function loadAssets(
  database: Database,
  { iid, uid, id }: DocumentRequest,
  { row, relatedReports, content }: Awaited<ReturnType<typeof readReport>>,
): Promise<DocumentAssets> {
  const images = await loadReportImages(database, { iid, uid, id }, content);
  const { state, sha256 } = row;
  const ended = row.ended_at ? { at: row.ended_at, reason: row.reason ?? "" } : null;
  const status = { state, sha256, ended, nextNumber: relatedReports.next?.number ?? null };
  return loadDocumentAssets(database, { iid, uid }, status, images);
}
