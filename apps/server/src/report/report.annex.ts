import type { Language } from "@arcada/contract/kernel/languages";
import { utcZone } from "@arcada/contract/kernel/time-zone";
import type { ReportContent } from "@arcada/contract/report/report.schema";
import type { PdfBlock, PdfDocument, PdfFact } from "../platform/pdf/pdf-blocks.ts";
import { buildCephBlocks, buildEngineBlocks, buildMeasurementBlocks } from "./pdf-analysis-blocks.ts";
import { buildListBlocks, buildScoreBlocks, buildToothBlocks } from "./pdf-teeth-blocks.ts";
import { buildDocumentFrame, imageAssetKey, withoutEmptyRows } from "./report.document-frame.ts";
import type { DocumentAssets } from "./report.document-frame.ts";
import { rotatedTracingKey } from "./report.images.ts";
import { loadDocumentTexts } from "./report.texts.ts";
import type { DocumentTexts } from "./report.texts.ts";

/**
 * Builds the annex for professionals: how the score is computed, every tooth, measurements with their certainty, the
 * tracing with its norms, the engines, and the checksum. Unassessed teeth are printed as such.
 */
export function buildReportAnnex(content: ReportContent, assets: DocumentAssets, language: Language): PdfDocument {
  const translate = loadDocumentTexts(language, content.form.scheme, content.institution.timeZone ?? utcZone);
  const { ceph } = content;
  // Values of one population mislead for another, so every page names the reference values.
  const norms =
    ceph && ceph.rows.length > 0
      ? translate("paper.norms", { name: translate.of("ceph", `population.${ceph.population}`) })
      : "";
  const title = translate("paper.annex");
  return {
    ...buildDocumentFrame(content, assets, translate, { title, footer: [norms] }),
    blocks: [
      { kind: "title", text: title, aside: content.number },
      { kind: "facts", rows: headerRows(content, translate) },
      ...buildScoreBlocks(content, translate),
      ...buildListBlocks(content, translate),
      ...buildMeasurementBlocks(content, translate),
      ...buildCephBlocks(content, findRadiograph(content, assets), translate),
      ...buildToothBlocks(content, translate),
      ...buildEngineBlocks(content, translate),
      ...buildChecksumBlocks(content, assets, translate),
    ],
  };
}

const headerRows = (
  { patient, institution, signature, ...content }: ReportContent,
  translate: DocumentTexts,
): PdfFact[] =>
  withoutEmptyRows([
    [translate("paper.patient"), patient.name],
    [translate("paper.patientNumber"), patient.number],
    [translate("paper.sex"), translate.ofName("common", "sex", patient.sex)],
    [translate("paper.birthDate"), patient.birthDate],
    [translate("paper.age"), patient.age === null ? null : String(patient.age)],
    [translate("paper.entryNumber"), patient.entryNumber],
    [translate("paper.clinic"), `${institution.name} (${institution.number})`],
    [translate("paper.time"), translate.time(signature?.at ?? content.writtenAt)],
    [translate("paper.source"), translate(`source.${content.source}`)],
    [translate("paper.dentist"), signature?.name ?? content.writer],
    [translate("paper.licence"), signature?.licence ?? null],
    [translate("paper.corrects"), content.previous],
  ]);

const findRadiograph = ({ ceph }: ReportContent, { pictures }: DocumentAssets) =>
  (ceph?.drawing && pictures.get(imageAssetKey(ceph.instanceId, rotatedTracingKey(ceph.drawing.turns)))) ?? null;

const buildChecksumBlocks = (
  { signature }: ReportContent,
  { sha256 }: DocumentAssets,
  translate: DocumentTexts,
): PdfBlock[] =>
  signature
    ? [
        { kind: "heading", text: translate("paper.signature") },
        {
          kind: "text",
          text: translate("paper.signedText", { ...signature, time: translate.time(signature.at) }),
        },
        { kind: "text", muted: true, text: `${translate("hash")}: ${sha256 ?? ""}\n${translate("paper.language")}` },
      ]
    : [];
