import type { PlannedImplantReport, PlanPicture, PlanReportContent } from "@arcada/contract/implant/plan-report.schema";
import type { Language } from "@arcada/contract/kernel/languages";
import { formatWithZone } from "@arcada/contract/kernel/time-zone";
import { resolveZone } from "../domain/institution-time-zone.ts";
import type { PdfBitmap, PdfBlock, PdfDocument, PdfFact, PdfImage } from "../platform/pdf/pdf-blocks.ts";
import { formatNumber } from "../platform/text/number-format.ts";
import { translatorOf, type TranslateIn } from "../platform/text/texts.ts";
import type { PlannedStudy } from "./implant.store.ts";

export type ReportImage = Pick<PlanPicture, "kind" | "number"> & PdfBitmap;

interface PlanReportData {
  study: PlannedStudy;
  content: PlanReportContent;
  images: readonly ReportImage[];
  plannedBy: string;
  now: Date;
}
type Translate = TranslateIn<"implant">;
type PlannedDistance = PlannedImplantReport["distances"][number];

/**
 * The report of an implant plan: what is planned, how far it is from what must not be touched, and what was not
 * assessed. Teeth are in FDI notation, since the file is kept.
 */
export function buildPlanReport(data: PlanReportData, language: Language): PdfDocument {
  const t = translatorOf(language, "implant");
  const { study, content, images } = data;
  const panorama = images.filter(({ kind }) => kind === "panorama");
  return {
    language: language === "zh" ? "zh-CN" : "en",
    title: `${t("report.title")} ${study.patientNumber}`,
    author: study.institution,
    footer: [study.patientNumber, t("report.title"), study.institution, study.patientName].join(" · "),
    head: { warning: t("report.notTreatment"), logo: null },
    pageOf: t("report.page"),
    blocks: [
      { kind: "title", text: t("report.title"), aside: study.patientName },
      { kind: "facts", rows: buildFacts(data, t) },
      ...buildImages(panorama, 1, 210, t),
      buildOverview(content, t),
      ...content.implants.flatMap((implant) => buildImplant(implant, images, t)),
      ...buildPairs(content, t),
      { kind: "heading", text: t("report.accuracy"), before: 40 },
      { kind: "text", text: describeAccuracy(content, t) },
      { kind: "heading", text: t("report.notAssessed"), before: 40 },
      ...listNotAssessed(content, t).map((text): PdfBlock => ({ kind: "text", text: `• ${text}` })),
      { kind: "text", text: t("report.responsibility"), muted: true },
      { kind: "signature", names: [t("report.signature"), t("report.date")] },
    ],
  };
}

function buildFacts({ study, plannedBy, now }: PlanReportData, t: Translate): PdfFact[] {
  const zone = resolveZone(study);
  const source = [study.description, study.modality, study.takenAt?.slice(0, 10) ?? t("report.undated")];
  return [
    [t("report.patient"), study.patientName],
    [t("report.number"), study.patientNumber],
    [t("report.birthDate"), study.birthDate ?? "–"],
    [t("report.plannedBy"), plannedBy],
    [t("report.plannedAt"), formatWithZone(zone, now.toISOString())],
    [t("report.images"), source.filter(Boolean).join(" · ")],
    [t("report.institution"), study.institution],
  ];
}

const buildImages = (images: readonly ReportImage[], columns: number, maxHeight: number, t: Translate): PdfBlock[] =>
  images.length === 0
    ? []
    : [
        {
          kind: "images",
          columns,
          maxHeight,
          images: images.map(({ kind, number, ...bitmap }): PdfImage => ({
            ...bitmap,
            captions: [t(`picture.${kind}`, { number: number ?? "" })],
          })),
        },
      ];

/** One row for each implant, with a colour that says whether anything is too near. */
function buildOverview({ implants }: PlanReportContent, t: Translate): PdfBlock {
  return {
    kind: "table",
    head: (["number", "tooth", "system", "size", "nearest", "bone"] as const).map((name) => t(`column.${name}`)),
    widths: [0.7, 0.8, 3, 1.8, 3, 2.4],
    rows: implants.map((implant) => {
      const warnings = listWarnings(implant, t);
      const nearest = listStated(implant).toSorted((one, other) => one.mm - one.limit - (other.mm - other.limit))[0];
      return {
        colour: warnings.length > 0 ? warningColour : isAssessed(implant) ? goodColour : neutralColour,
        cells: [
          String(implant.number),
          implant.tooth === null ? "–" : String(implant.tooth),
          implant.system ?? t("generic"),
          formatSize(implant, t),
          nearest ? describeDistance(nearest, t) : t("report.nothingDrawn"),
          describeBone(implant.bone, t),
        ],
      };
    }),
  };
}
const [warningColour, goodColour, neutralColour] = ["#c92a2a", "#2b8a3e", "#868e96"];

/** Green says that bone and something to keep away from were measured, and nothing was found. */
const isAssessed = (implant: PlannedImplantReport): boolean =>
  listStated(implant).length > 0 && (implant.bone.state === "within" || implant.bone.state === "leaves");

/**
 * A suggested tooth is stated only where it is too near, and without a figure: its apex may be off by several
 * millimetres.
 */
const listStated = ({ distances }: PlannedImplantReport): PlannedDistance[] =>
  distances.filter((one) => !isSuggestedTooth(one) || one.mm < one.limit);
const isSuggestedTooth = ({ to, isSuggested }: PlannedDistance): boolean => to === "root" && isSuggested;

function buildImplant(implant: PlannedImplantReport, images: readonly ReportImage[], t: Translate): PdfBlock[] {
  const own = images.filter(({ number, kind }) => number === implant.number && kind !== "panorama");
  const warnings = listWarnings(implant, t);
  const name = t("report.implant", { number: implant.number, tooth: implant.tooth ?? "–" });
  return [
    { kind: "heading", text: name, before: own.length > 0 ? 220 : 60 },
    ...buildImages(own, 2, 190, t),
    ...warnings.map((text): PdfBlock => ({
      kind: "text",
      text: t("report.about", { what: t("report.warning"), value: text }),
    })),
    { kind: "facts", rows: buildImplantFacts(implant, t) },
  ];
}

function buildImplantFacts(implant: PlannedImplantReport, t: Translate): PdfFact[] {
  const { system, library, abutment, sleeve, crown, head, apex } = implant;
  const rows: (PdfFact | null)[] = [
    [
      t("column.system"),
      [system ?? t("generic"), library && t("report.fromLibrary", { name: library })].filter(Boolean).join(" · "),
    ],
    [t("column.size"), formatSize(implant, t)],
    abutment && [
      t("abutment.title"),
      t("report.abutment", { angle: degrees(abutment.angle), turn: degrees(abutment.turn) }),
    ],
    sleeve && [
      t("sleeve.title"),
      t("report.sleeve", {
        inner: mm(sleeve.inner),
        outer: mm(sleeve.outer),
        height: mm(sleeve.height),
        offset: mm(sleeve.offset),
      }),
    ],
    crown && [t("crown.title"), describeCrown(crown, t)],
    ...listStated(implant).map((one): PdfFact => [nameStructure(one, t), formatDistance(one, t)]),
    [t("column.bone"), describeBone(implant.bone, t)],
    [t("report.position"), t("report.headAndTip", { head: formatPoint(head), apex: formatPoint(apex) })],
  ];
  return rows.filter((row) => row !== null);
}

const describeCrown = ({ from, toImplant, toAbutment }: NonNullable<PlannedImplantReport["crown"]>, t: Translate) =>
  [
    t("report.crownAngle", { degrees: degrees(toImplant) }),
    toAbutment === null ? null : t("report.crownAbutment", { degrees: degrees(toAbutment) }),
    t(`crown.from.${from}`),
  ]
    .filter(Boolean)
    .join(" · ");

function buildPairs({ pairs, parallelLimit }: PlanReportContent, t: Translate): PdfBlock[] {
  if (pairs.length === 0) return [];
  return [
    { kind: "heading", text: t("pairs.title"), before: 60 },
    {
      kind: "table",
      small: true,
      head: [t("report.implants"), t("report.angle"), ""],
      widths: [2, 1, 4],
      rows: pairs.map((pair) => ({
        cells: [
          `${pair.one} – ${pair.other}`,
          `${degrees(pair.degrees)}°`,
          pair.degrees > parallelLimit ? t("report.notParallel", { degrees: degrees(parallelLimit) }) : "",
        ],
      })),
    },
  ];
}

function describeAccuracy({ voxel, scan }: PlanReportContent, t: Translate): string {
  const size = t("report.voxel", { size: voxel.map((side) => formatNumber(side, 2)).join(" × ") });
  const registered = scan && t("report.scan", { name: scan.name, rms: formatNumber(scan.rms, 2), pairs: scan.pairs });
  return [size, t("report.notFiner"), registered ?? t("report.noScan")].join(" ");
}

const listNotAssessed = ({ unchecked }: PlanReportContent, t: Translate): string[] => [
  ...unchecked.map((part) => t(`unchecked.${part}`)),
  ...(["quality", "softTissue", "artefacts", "general"] as const).map((part) => t(`report.never.${part}`)),
];

function listWarnings({ distances, bone, leavesSuggestedJaw }: PlannedImplantReport, t: Translate): string[] {
  const near = distances.filter(({ mm: value, limit }) => value < limit).map((one) => describeDistance(one, t));
  const jaw = leavesSuggestedJaw ? [t("suggested.about", { warning: t("suggested.outsideJaw") })] : [];
  const left = bone.state === "leaves" ? [t("bone.about", { finding: describeBone(bone, t) })] : [];
  return [...near, ...jaw, ...left];
}

const describeDistance = (distance: PlannedDistance, t: Translate): string =>
  t("report.about", { what: nameStructure(distance, t), value: formatDistance(distance, t) });

function nameStructure({ to, tooth, isSuggested }: PlannedDistance, t: Translate): string {
  const name = [t(`structure.${to}`), tooth].filter((part) => part !== null).join(" ");
  return isSuggested ? t("suggested.about", { warning: name }) : name;
}

function formatDistance(distance: PlannedDistance, t: Translate): string {
  const { mm: value, limit } = distance;
  if (value <= 0) return t("report.touchesAlone");
  if (isSuggestedTooth(distance)) return t("report.lessThan", { limit: mm(limit) });
  // Rounded down: 1.97 mm written as 2.0 mm would contradict a limit of 2 mm.
  return t("report.distanceAlone", { mm: formatNumber(Math.floor(value * 10 + 1e-6) / 10, 1), limit: mm(limit) });
}

function describeBone(bone: PlannedImplantReport["bone"], t: Translate): string {
  if (bone.state !== "leaves") return t(`bone.${bone.state}`);
  const where = bone.where.map((side) => t(`bone.side.${side}`)).join(", ");
  return t(where === "" ? "bone.leaves" : "bone.leavesAt", { percent: bone.percent, where });
}

/** Without zeros that say nothing: 4.1 and 3.75. */
const mm = (value: number): string => String(Math.round(value * 100) / 100);
const degrees = (value: number): string => formatNumber(value, 1);
const formatSize = ({ diameter, length }: PlannedImplantReport, t: Translate): string =>
  t("report.size", { diameter: mm(diameter), length: mm(length) });
const formatPoint = (point: readonly number[]): string => point.map((value) => formatNumber(value, 1)).join(" / ");
