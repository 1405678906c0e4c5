import type { ReportState } from "@arcada/contract/report/report.lifecycle";
import type { ReportContent } from "@arcada/contract/report/report.schema";
import type { PdfBitmap, PdfDocument, PdfFact } from "../platform/pdf/pdf-blocks.ts";
import type { DocumentTexts } from "./report.texts.ts";

/** Everything in a document besides the written content. */
export interface DocumentAssets {
  state: ReportState;
  sha256: string | null;
  /** The reason why the report is no longer valid. */
  ended: { at: string; reason: string } | null;
  nextNumber: string | null;
  logos: { cover: PdfBitmap | null; inside: PdfBitmap | null };
  /** Keyed by instance and box. */
  pictures: ReadonlyMap<string, PdfBitmap>;
}
export const imageAssetKey = (instanceId: string, box: string): string => `${instanceId} ${box}`;

/** The parts of a document that are on every page; an unsigned report is marked on each. */
export function buildDocumentFrame(
  content: ReportContent,
  assets: DocumentAssets,
  translate: DocumentTexts,
  { title, footer }: { title: string; footer: readonly string[] },
): Omit<PdfDocument, "blocks"> {
  return {
    language: translate.language === "zh" ? "zh-CN" : "en",
    title: `${title} ${content.number}`,
    author: content.institution.name,
    head: { warning: warningText(assets, translate), logo: assets.logos.inside },
    footer: [
      content.number,
      ...footer,
      content.signature ? "" : translate("paper.unsigned"),
      content.institution.name,
      // Last, because a long name displaces what follows it.
      content.patient.name,
    ]
      .filter(Boolean)
      .join(" · "),
    pageOf: translate("paper.page"),
  };
}

export function warningText({ state, ended, nextNumber }: DocumentAssets, translate: DocumentTexts): string | null {
  if (state === "withdrawn" && ended)
    return translate("paper.withdrawn", { time: translate.time(ended.at), reason: ended.reason });
  if (state === "amended") return translate("paper.amended", { number: nextNumber ?? "" });
  return state === "signed" ? null : translate("draftMark");
}

export const withoutEmptyRows = (rows: readonly (readonly [string, string | null])[]): PdfFact[] =>
  rows.filter((row): row is PdfFact => Boolean(row[1]));
