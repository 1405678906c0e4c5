import { cephSources } from "@arcada/analysis/ceph/norms";
import { analysisLabels, measureLabels } from "@arcada/analysis/ceph/literature-labels";
import { readArchPart, readCanalSide } from "@arcada/contract/analysis/arch-target";
import { trustLevels } from "@arcada/contract/analysis/trust-levels";
import type { Confidence } from "@arcada/contract/analysis/observation";
import type { ReportCeph, ReportContent, ReportMeasurement } from "@arcada/contract/report/report.schema";
import { formatNumber } from "../platform/text/number-format.ts";
import { drawTracing } from "../domain/draw-ceph-tracing.ts";
import type { PdfBlock, PdfBitmap, PdfRow } from "../platform/pdf/pdf-blocks.ts";
import { documentSizes } from "./report.images.ts";
import type { DocumentTexts } from "./report.texts.ts";

/** Describes how sure an engine is, never as a bare percentage. */
export function confidenceText(of: Confidence, translate: DocumentTexts): string {
  switch (of.basis) {
    case "calibrated":
      return translate("sure.calibrated", { percent: (of.p * 100).toFixed(1), n: of.n, set: of.set });
    case "score":
      return translate(`sure.${of.value < 0.5 ? "low" : of.value < 0.8 ? "medium" : "high"}`);
    case "error":
      return `± ${formatFigure(of.plusMinus)} ${of.unit}`;
    case "none":
      return translate("sure.none");
  }
}

export function buildMeasurementBlocks({ measurements }: ReportContent, translate: DocumentTexts): PdfBlock[] {
  if (measurements.length === 0) return [];
  const byImage = Map.groupBy(measurements, ({ instanceId, studyId }) => instanceId ?? studyId);
  // Several radiographs of one day have the same name: they are numbered.
  const named = Map.groupBy(byImage.values(), ([one]) => describeImage(one?.image, translate));
  const nameOf = (one: ReportMeasurement): string => {
    const name = describeImage(one.image, translate);
    const alike = named.get(name) ?? [];
    return name && alike.length > 1 ? `${name} (${1 + alike.findIndex((ofImage) => ofImage.includes(one))})` : name;
  };
  return [
    { kind: "heading", text: translate("paper.measurements") },
    { kind: "text", muted: true, text: translate("paper.measurementsSay") },
    ...[...byImage.values()].flatMap((ofImage): PdfBlock[] => [
      ...imageNameBlocks(nameOf(ofImage[0]!)),
      ...lossyNoteBlocks(ofImage[0]?.image?.isLossy, translate),
      measurementTable(ofImage, translate),
    ]),
  ];
}

const imageNameBlocks = (text: string): PdfBlock[] => (text === "" ? [] : [{ kind: "text", text }]);

/** Printed beside measurements: compression shifts edges and grey values. */
const lossyNoteBlocks = (isLossy: boolean | undefined, translate: DocumentTexts): PdfBlock[] =>
  isLossy ? [{ kind: "text", text: translate.of("viewer", "lossy.measured") }] : [];

const describeImage = (image: ReportMeasurement["image"], translate: DocumentTexts): string =>
  image ? [translate.of("study", `kind.${image.kind}`), image.takenAt?.slice(0, 10)].filter(Boolean).join(" · ") : "";

const measurementTable = (measurements: readonly ReportMeasurement[], translate: DocumentTexts): PdfBlock => ({
  kind: "table",
  small: true,
  head: [translate("paper.what"), translate("paper.value"), translate("paper.sure"), translate("paper.engine")],
  widths: [3, 2, 3, 3],
  rows: measurements.map((one): PdfRow => ({
    cells: [
      [describeCode(one.code, translate), describeTarget(one, translate)].filter(Boolean).join(", "),
      formatValue(one, translate),
      confidenceText(one.confidence, translate),
      `${one.engine.id} ${one.engine.version} (${one.engine.level})`,
    ],
  })),
});

const formatFigure = (value: number): string => String(Number(value.toFixed(2))).replace("-", "−");
const formatValue = ({ value, unit }: ReportMeasurement, translate: DocumentTexts): string =>
  typeof value === "boolean"
    ? translate(value ? "yes" : "no")
    : [typeof value === "number" ? formatFigure(value) : (value ?? ""), unit ?? ""].filter(Boolean).join(" ");

function describeTarget(
  { code, target }: Pick<ReportMeasurement, "code" | "target">,
  translate: DocumentTexts,
): string {
  const side = readCanalSide(code, target);
  if (side) return translate(`canalSide.${side}`);
  const part = readArchPart(code, target);
  if (part)
    return [translate(`arch.${part.jaw}`), part.cut && translate(`arch.${part.cut}`)].filter(Boolean).join(", ");
  if (target.kind === "tooth") return translate.tooth(target.fdi);
  if (target.kind !== "region") return "";
  return target.from !== null && target.to !== null
    ? describeRange(target.from, target.to, translate)
    : (target.name ?? "");
}

/** A dash between two quadrants would read as a range of numbers: 15 to 25 has ten teeth, not eleven. */
function describeRange(from: number, to: number, translate: DocumentTexts): string {
  const isAcross = Math.floor(from / 10) !== Math.floor(to / 10);
  return translate(isAcross ? "paper.acrossMidline" : "paper.toothRange", {
    from: translate.tooth(from),
    to: translate.tooth(to),
  });
}

/** Findings have their names in the chart; all landmarks share one name. */
function describeCode(code: string, translate: DocumentTexts): string {
  const finding = /^FINDING_(.+)$/.exec(code)?.[1];
  if (finding) return translate.ofName("chart", "finding", finding);
  return translate.ofName("report", "code", code.startsWith("CEPH_LM_") ? "CEPH_LM" : code);
}
const describeCodes = (codes: readonly string[], translate: DocumentTexts): string =>
  [...new Set(codes.map((code) => describeCode(code, translate)))].join(", ");

/** Every engine with its version, what it looked for and what it could not answer; or that none did. */
export function buildEngineBlocks({ engines, analysisCount }: ReportContent, translate: DocumentTexts): PdfBlock[] {
  const levels = trustLevels.map((level) => `${level}: ${translate(`level.${level}`)}`).join("; ");
  return [
    { kind: "heading", text: translate("paper.engines") },
    ...(analysisCount
      ? [{ kind: "text", text: translate("paper.analysisCount", { count: analysisCount }) } as const]
      : []),
    ...(engines.length === 0
      ? [{ kind: "text", text: translate("paper.noEngines") } as const]
      : [
          {
            kind: "table",
            small: true,
            head: [
              translate("paper.engine"),
              translate("paper.level"),
              translate("paper.lookedFor"),
              translate("paper.noAnswer"),
            ],
            widths: [2.4, 0.8, 4, 3],
            rows: engines.map((one): PdfRow => ({
              cells: [
                [
                  `${one.id} ${one.version}`,
                  describeImage(one.image, translate),
                  one.clearance && `${translate("paper.clearance")}: ${one.clearance}`,
                ]
                  .filter(Boolean)
                  .join("\n"),
                one.level,
                describeCodes(one.lookedFor, translate),
                one.abstentions
                  .map(({ code, target, reason }) => {
                    const place = target ? describeTarget({ code, target }, translate) : "";
                    return `${[describeCode(code, translate), place].filter(Boolean).join(", ")} (${translate(`reason.${reason}`)})`;
                  })
                  .join(", "),
              ],
            })),
          } as const,
        ]),
    // Keeps the text with what follows, so that no page contains a signature alone.
    { kind: "text", muted: true, kept: true, text: `${levels}\n${translate("paper.notLookedFor")}` },
  ];
}

/** The tracing over its radiograph, and the measurements on it. */
export function buildCephBlocks(
  { ceph }: ReportContent,
  radiograph: PdfBitmap | null,
  translate: DocumentTexts,
): PdfBlock[] {
  if (!ceph) return [];
  const { drawing } = ceph;
  const drawn = drawing ? drawTracing(drawing, documentSizes.film, radiograph) : null;
  return [
    { kind: "heading", text: translate("paper.ceph"), ...(drawn && { before: drawn.height + 24 }) },
    ...(drawn ? [drawn] : []),
    ...(drawn && !radiograph ? [{ kind: "text", muted: true, text: translate("paper.pictureMissing") } as const] : []),
    ...(ceph.rows.length > 0 ? cephTable(ceph, translate) : []),
  ];
}

function cephTable(ceph: ReportCeph, translate: DocumentTexts): PdfBlock[] {
  return [
    { kind: "text", text: translate("paper.norms", { name: translate.of("ceph", `population.${ceph.population}`) }) },
    ...lossyNoteBlocks(ceph.isLossy, translate),
    {
      kind: "table",
      small: true,
      head: [
        "",
        translate("paper.measure"),
        translate("paper.value"),
        translate("paper.norm"),
        translate("paper.deviation"),
      ],
      widths: [1.6, 2.2, 2.2, 2.6, 2.6],
      rows: ceph.rows.map((row): PdfRow => ({
        cells: [
          landmarkSigned(analysisLabels, row.analysis) ?? translate.ofName("ceph", "analysis", row.analysis),
          landmarkSigned(measureLabels, row.measure) ?? translate.ofName("ceph", "measure", row.measure),
          formatCephValue(row, translate),
          row.norm
            ? [
                `${formatFigure(row.norm.mean)}${row.norm.sd === null ? "" : ` ± ${formatFigure(row.norm.sd)}`}`,
                row.norm.isOtherAge
                  ? translate("paper.otherAge")
                  : (landmarkSigned(cephSources, row.norm.source) ?? row.norm.source),
              ].join(", ")
            : "",
          row.implausible
            ? translate.of("ceph", "place.implausible", { signs: row.implausible.join(", ") })
            : { deviation: row.deviation },
        ],
      })),
    },
  ];
}

/** Returns the sign of a name that is the same in every language. */
const landmarkSigned = (signs: Readonly<Partial<Record<string, string>>>, name: string): string | undefined =>
  signs[name];

function formatCephValue(
  { value, unit, error, isBorderline }: ReportCeph["rows"][number],
  translate: DocumentTexts,
): string {
  if (value === null) return translate("paper.notMeasured");
  const sign = unit === "degrees" ? "°" : unit === "percent" ? " %" : ` ${unit}`;
  const sure = error === null ? "" : ` ± ${formatFigure(error)}`;
  return `${formatNumber(value, 1)}${sure}${sign}${isBorderline ? `, ${translate("paper.borderline")}` : ""}`;
}
