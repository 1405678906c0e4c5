import type { Language } from "@arcada/contract/kernel/languages";
import { utcZone } from "@arcada/contract/kernel/time-zone";
import type { ReportState } from "@arcada/contract/report/report.lifecycle";
import { isToothUnassessed } from "@arcada/contract/report/report.schema";
import type { ReportContent } from "@arcada/contract/report/report.schema";
import type { PdfBlock, PdfDocument, PdfFact, PdfImage, PdfBitmap } from "../platform/pdf/pdf-blocks.ts";
import { buildCephBlocks, buildEngineBlocks, buildMeasurementBlocks } from "./pdf-analysis-blocks.ts";
import {
  buildChartBlocks,
  describeFinding,
  buildListBlocks,
  buildToothBlocks,
  buildScoreBlocks,
} from "./pdf-teeth-blocks.ts";
import { boxKey, imageKey, isWide, documentSizes, rotatedTracingKey } from "./report.images.ts";
import { loadDocumentTexts } from "./report.texts.ts";
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

/** Builds the printed report. Unassessed teeth are printed as such, and an unsigned report is marked on each page. */
export function buildReportDocument(content: ReportContent, assets: DocumentAssets, language: Language): PdfDocument {
  const translate = loadDocumentTexts(language, content.form.scheme, content.institution.timeZone ?? utcZone);
  const warning = warningText(assets, translate);
  return {
    language: language === "zh" ? "zh-CN" : "en",
    title: `${translate("paper.title")} ${content.number}`,
    author: content.institution.name,
    head: { warning, logo: assets.logos.inside },
    footer: [
      content.number,
      content.ceph && content.ceph.rows.length > 0
        ? translate("paper.norms", { name: translate.of("ceph", `population.${content.ceph.population}`) })
        : "",
      assets.sha256 ? `SHA-256 ${assets.sha256.slice(0, 16)}…` : translate("paper.unsigned"),
      // Last, because a long name displaces what follows it.
      content.patient.name,
    ]
      .filter(Boolean)
      .join(" · "),
    pageOf: translate("paper.page"),
    blocks: [
      buildCover(content, assets, warning, translate),
      { kind: "title", text: translate("paper.title"), aside: content.number },
      { kind: "facts", rows: headerRows(content, translate) },
      ...buildScoreBlocks(content, translate),
      ...textBlocks(translate("form.examination"), content.form.examination),
      ...buildProblemBlocks(content, translate),
      ...textBlocks(translate("form.diagnosis"), content.form.diagnosis),
      ...textBlocks(translate("form.advice"), content.form.advice),
      ...buildChartBlocks(content, translate),
      ...buildListBlocks(content, translate),
      ...buildToothImageBlocks(content, assets, translate),
      ...buildImageBlocks(content, assets, translate),
      ...buildMeasurementBlocks(content, translate),
      ...buildCephBlocks(content, findRadiograph(content, assets), translate),
      ...buildToothBlocks(content, translate),
      ...buildEngineBlocks(content, translate),
      ...buildSignatureBlocks(content, assets, translate),
    ],
  };
}

function warningText({ state, ended, nextNumber }: DocumentAssets, translate: DocumentTexts): string | null {
  if (state === "withdrawn" && ended)
    return translate("paper.withdrawn", { time: translate.time(ended.at), reason: ended.reason });
  if (state === "amended") return translate("paper.amended", { number: nextNumber ?? "" });
  return state === "signed" ? null : translate("draftMark");
}

const withoutEmptyRows = (rows: readonly (readonly [string, string | null])[]): PdfFact[] =>
  rows.filter((row): row is PdfFact => Boolean(row[1]));

const buildCover = (
  content: ReportContent,
  { logos }: DocumentAssets,
  note: string | null,
  translate: DocumentTexts,
): PdfBlock => ({
  kind: "cover",
  text: translate("paper.title"),
  aside: content.number,
  logo: logos.cover,
  note,
  rows: withoutEmptyRows([
    [translate("paper.patient"), content.patient.name],
    [translate("paper.patientNumber"), content.patient.number],
    [translate("paper.clinic"), content.institution.name],
    [translate("paper.dentist"), content.signature?.name ?? content.writer],
    [translate("paper.time"), translate.time(content.signature?.at ?? content.writtenAt)],
  ]),
});

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
    [translate("paper.address"), institution.address],
    [translate("paper.contact"), institution.contact],
    [translate("paper.time"), translate.time(signature?.at ?? content.writtenAt)],
    [translate("paper.source"), translate(`source.${content.source}`)],
    [translate("paper.dentist"), signature?.name ?? content.writer],
    [translate("paper.licence"), signature?.licence ?? null],
    [translate("paper.corrects"), content.previous],
  ]);

const textBlocks = (heading: string, text: string): PdfBlock[] =>
  text === ""
    ? []
    : [
        { kind: "heading", text: heading },
        { kind: "text", text },
      ];

function buildProblemBlocks({ form: { problems }, lists }: ReportContent, translate: DocumentTexts): PdfBlock[] {
  const heading: PdfBlock = { kind: "heading", text: translate("paper.problems") };
  if (problems.length === 0) {
    const words = isToothUnassessed(lists) ? "form.teethNotAssessed" : "paper.noProblems";
    return [heading, { kind: "text", text: translate(words) }];
  }
  return [
    heading,
    {
      kind: "table",
      head: [translate("paper.tooth"), translate("paper.findings")],
      widths: [1, 6],
      rows: problems.map(({ fdi, code, text, ...rest }) => ({
        cells: [
          fdi === null ? translate("form.wholeMouth") : translate.tooth(fdi),
          code ? describeFinding({ code, ...rest, remark: text }, translate) : text,
        ],
      })),
    },
  ];
}

function buildToothImageBlocks(
  { toothPictures: toothImages }: ReportContent,
  { pictures }: DocumentAssets,
  translate: DocumentTexts,
): PdfBlock[] {
  const images = toothImages.flatMap(({ fdi, instanceId, box, codes }): PdfImage[] => {
    const image = pictures.get(imageAssetKey(instanceId, boxKey(box)));
    const names = codes.map((code) => translate.of("chart", `finding.${code}`)).join(", ");
    return image ? [{ ...image, captions: [`${translate.tooth(fdi)} ${names}`] }] : [];
  });
  return images.length === 0
    ? []
    : [
        { kind: "heading", text: translate("paper.toothPictures"), before: documentSizes.toothHeight + 24 },
        { kind: "images", columns: 4, maxHeight: documentSizes.toothHeight, images },
      ];
}

function buildImageBlocks(
  { images }: ReportContent,
  { pictures }: DocumentAssets,
  translate: DocumentTexts,
): PdfBlock[] {
  if (images.length === 0) return [];
  const all = images.map(({ instanceId, kind, takenAt, caption, turns }) => ({
    picture: pictures.get(imageAssetKey(instanceId, imageKey({ turns }))),
    captions: [[translate.ofName("study", "kind", kind), takenAt?.slice(0, 10), caption].filter(Boolean).join(" · ")],
  }));
  const shown = all.flatMap(({ picture: image, captions }) => (image ? [{ ...image, captions }] : []));
  const [wide, narrow] = [shown.filter(isWide), shown.filter((one) => !isWide(one))];
  return [
    { kind: "heading", text: translate("paper.images"), before: imageHeight(shown[0]) },
    ...(wide.length > 0
      ? [{ kind: "images", columns: 1, maxHeight: documentSizes.wideHeight, images: wide } as const]
      : []),
    ...(narrow.length > 0
      ? [{ kind: "images", columns: 2, maxHeight: documentSizes.halfHeight, images: narrow } as const]
      : []),
    ...all.flatMap(({ picture: image, captions }): PdfBlock[] =>
      image ? [] : [{ kind: "text", muted: true, text: `${captions[0]}: ${translate("paper.pictureMissing")}` }],
    ),
  ];
}
const imageHeight = (first: PdfBitmap | undefined): number => {
  if (!first) return 0;
  const [width, maxHeight] = isWide(first)
    ? [documentSizes.wide, documentSizes.wideHeight]
    : [documentSizes.half, documentSizes.halfHeight];
  return Math.min(maxHeight, (first.height * width) / first.width) + 24;
};
const findRadiograph = ({ ceph }: ReportContent, { pictures }: DocumentAssets): PdfBitmap | null =>
  (ceph?.drawing && pictures.get(imageAssetKey(ceph.instanceId, rotatedTracingKey(ceph.drawing.turns)))) ?? null;
export const imageAssetKey = (instanceId: string, box: string): string => `${instanceId} ${box}`;

function buildSignatureBlocks(
  { signature }: ReportContent,
  { sha256 }: DocumentAssets,
  translate: DocumentTexts,
): PdfBlock[] {
  if (!signature) return [];
  const { name, licence, at } = signature;
  return [
    { kind: "heading", text: translate("paper.signature") },
    { kind: "text", text: translate("paper.signedText", { name, licence, time: translate.time(at) }) },
    { kind: "text", muted: true, text: `${translate("hash")}: ${sha256 ?? ""}\n${translate("paper.language")}` },
  ];
}
