import type { Language } from "@arcada/contract/kernel/languages";
import { localDayIn, utcZone } from "@arcada/contract/kernel/time-zone";
import { isToothUnassessed } from "@arcada/contract/report/report.schema";
import type { ReportContent, ReportProblem } from "@arcada/contract/report/report.schema";
import type { PdfBlock, PdfDocument, PdfFact, PdfImage, PdfCase } from "../platform/pdf/pdf-blocks.ts";
import { buildChartBlocks, buildDialBlock, describeFinding, drawProblemTooth } from "./pdf-teeth-blocks.ts";
import { buildDocumentFrame, imageAssetKey, warningText, withoutEmptyRows } from "./report.document-frame.ts";
import type { DocumentAssets } from "./report.document-frame.ts";
import { boxKey, imageKey, isWide, documentSizes } from "./report.images.ts";
import { loadDocumentTexts } from "./report.texts.ts";
import type { DocumentTexts } from "./report.texts.ts";

/**
 * Builds the report that the patient keeps: the score and what it rests on, the teeth as a drawing, each problem with
 * its picture and plan, and the next steps. Everything else is in the annex.
 */
export function buildReportDocument(content: ReportContent, assets: DocumentAssets, language: Language): PdfDocument {
  const translate = loadDocumentTexts(language, content.form.scheme, content.institution.timeZone ?? utcZone);
  const { form } = content;
  return {
    ...buildDocumentFrame(content, assets, translate, { title: translate("paper.title"), footer: [] }),
    blocks: [
      {
        kind: "banner",
        text: translate("paper.title"),
        aside: content.number,
        logo: assets.logos.cover,
        note: warningText(assets, translate),
        rows: bannerRows(content, translate),
      },
      buildDialBlock(content, translate),
      ...buildChartBlocks(content, translate),
      ...textBlocks(translate("form.examination"), form.examination),
      ...textBlocks(translate("form.diagnosis"), form.diagnosis),
      ...buildProblemBlocks(content, assets, translate),
      ...buildStepBlocks(form.advice, translate),
      ...buildImageBlocks(content, assets, translate),
      ...buildSignatureBlocks(content, translate),
    ],
  };
}

function bannerRows(content: ReportContent, translate: DocumentTexts): PdfFact[] {
  const { patient, institution, signature } = content;
  const zone = institution.timeZone ?? utcZone;
  return withoutEmptyRows([
    [translate("paper.patient"), patient.name],
    [translate("paper.birthDate"), patient.birthDate],
    [translate("paper.clinic"), institution.name],
    [translate("paper.dentist"), signature?.name ?? content.writer],
    // A patient reads the day on the clinic's calendar; the exact time stands beside the signature.
    [translate("paper.time"), localDayIn(zone, signature?.at ?? content.writtenAt)],
    [translate("paper.corrects"), content.previous],
  ]);
}

const textBlocks = (heading: string, text: string): PdfBlock[] =>
  text === ""
    ? []
    : [
        { kind: "heading", text: heading },
        { kind: "text", text },
      ];

function buildProblemBlocks(content: ReportContent, assets: DocumentAssets, translate: DocumentTexts): PdfBlock[] {
  const { problems } = content.form;
  // The first problem stays with its heading.
  const heading: PdfBlock = { kind: "heading", text: translate("paper.problems"), before: 96 };
  if (problems.length === 0) {
    const words = isToothUnassessed(content.lists) ? "form.teethNotAssessed" : "paper.noProblems";
    return [
      { kind: "heading", text: translate("paper.problems") },
      { kind: "text", text: translate(words) },
    ];
  }
  return [heading, { kind: "cases", cases: problems.map((one) => toCase(one, content, assets, translate)) }];
}

function toCase(
  { fdi, code, text, plan, ...rest }: ReportProblem,
  content: ReportContent,
  { pictures }: DocumentAssets,
  translate: DocumentTexts,
): PdfCase {
  const crop = content.toothPictures.find((one) => one.fdi === fdi && (code === null || one.codes.includes(code)));
  const picture = crop && pictures.get(imageAssetKey(crop.instanceId, boxKey(crop.box)));
  const where = fdi === null ? translate("form.wholeMouth") : translate.tooth(fdi);
  const finding = code ? describeFinding(fdi, { code, ...rest, remark: null }, translate) : "";
  return {
    picture: picture ?? (fdi === null ? null : drawProblemTooth(fdi, content)),
    title: [where, finding].filter(Boolean).join(" · "),
    text,
    plan: plan ? { label: translate("form.plan"), text: plan } : null,
  };
}

/** Each line of the text is a step. A single line is printed without a number. */
function buildStepBlocks(advice: string, translate: DocumentTexts): PdfBlock[] {
  const items = advice
    .split("\n")
    .map((line) => line.replace(/^\s*(?:[-•*]|\d{1,2}[.)、．])\s*/, "").trim())
    .filter(Boolean);
  if (items.length < 2) return textBlocks(translate("form.advice"), advice);
  return [
    { kind: "heading", text: translate("form.advice") },
    { kind: "steps", items },
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
  return [
    { kind: "heading", text: translate("paper.images"), before: documentSizes.halfHeight },
    ...arrangeImages(shown),
    ...all.flatMap(({ picture: image, captions }): PdfBlock[] =>
      image ? [] : [{ kind: "text", muted: true, text: `${captions[0]}: ${translate("paper.pictureMissing")}` }],
    ),
  ];
}

/** One radiograph may be large; several share the width, so that the report stays short. */
function arrangeImages(shown: readonly PdfImage[]): PdfBlock[] {
  const [wide, narrow] = [shown.filter(isWide), shown.filter((one) => !isWide(one))];
  const isAlone = shown.length === 1;
  const row = (images: readonly PdfImage[], columns: number, maxHeight: number): PdfBlock[] =>
    images.length === 0 ? [] : [{ kind: "images", columns, maxHeight, images }];
  return [
    ...row(wide, isAlone ? 1 : 2, documentSizes.halfHeight),
    ...row(narrow, isAlone ? 2 : narrow.length > 2 ? 4 : 3, documentSizes.halfHeight),
  ];
}

function buildSignatureBlocks({ signature, institution }: ReportContent, translate: DocumentTexts): PdfBlock[] {
  const { name, address, contact } = institution;
  const whereToAsk = [
    name,
    address && `${translate("paper.address")}: ${address}`,
    contact && `${translate("paper.contact")}: ${contact}`,
  ].filter(Boolean);
  return [
    { kind: "text", muted: true, kept: true, text: translate("paper.notLookedFor") },
    ...(signature
      ? [
          {
            kind: "text",
            kept: true,
            text: translate("paper.signedText", { ...signature, time: translate.time(signature.at) }),
          } as const,
        ]
      : []),
    { kind: "text", muted: true, text: whereToAsk.join(" · ") },
  ];
}
