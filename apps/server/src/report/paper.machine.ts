import { cephSources } from "@arcada/analysis/ceph/norms";
import { analysisSigns, measureSigns } from "@arcada/analysis/ceph/signs";
import { archPartOf } from "@arcada/contract/analysis/arch-target";
import { honestyLevels } from "@arcada/contract/analysis/honesty";
import type { Confidence } from "@arcada/contract/analysis/observation";
import type { ReportCeph, ReportContent, ReportMeasurement } from "@arcada/contract/report/report.shape";
import { formatNumber } from "../platform/text/number-format.ts";
import { tracingBlock } from "../platform/pdf/tracing.ts";
import type { PdfBlock, PdfPicture, PdfRow } from "../platform/pdf/pdf.ts";
import { paperSizes } from "./report.pictures.ts";
import type { Say } from "./report.say.ts";

/** Describes how sure an engine is, never as a bare percentage. */
export function sureText(of: Confidence, say: Say): string {
  switch (of.basis) {
    case "calibrated":
      return say("sure.calibrated", { percent: (of.p * 100).toFixed(1), n: of.n, set: of.set });
    case "score":
      return say(`sure.${of.value < 0.5 ? "low" : of.value < 0.8 ? "medium" : "high"}`);
    case "error":
      return `± ${figure(of.plusMinus)} ${of.unit}`;
    case "none":
      return say("sure.none");
  }
}

export function measurementBlocks({ measurements }: ReportContent, say: Say): PdfBlock[] {
  if (measurements.length === 0) return [];
  const byImage = Map.groupBy(measurements, ({ instanceId, studyId }) => instanceId ?? studyId);
  // Several films of one day bear one name: they are counted.
  const named = Map.groupBy(byImage.values(), ([one]) => imageText(one?.image, say));
  const nameOf = (one: ReportMeasurement): string => {
    const name = imageText(one.image, say);
    const alike = named.get(name) ?? [];
    return name && alike.length > 1 ? `${name} (${1 + alike.findIndex((ofImage) => ofImage.includes(one))})` : name;
  };
  return [
    { kind: "heading", text: say("paper.measurements") },
    { kind: "text", muted: true, text: say("paper.measurementsSay") },
    ...[...byImage.values()].flatMap((ofImage): PdfBlock[] => [
      ...nameBlock(nameOf(ofImage[0]!)),
      ...lossBlock(ofImage[0]?.image?.isLossy, say),
      measurementTable(ofImage, say),
    ]),
  ];
}

const nameBlock = (text: string): PdfBlock[] => (text === "" ? [] : [{ kind: "text", text }]);

/** Printed beside measurements: compression shifts edges and grey values. */
const lossBlock = (isLossy: boolean | undefined, say: Say): PdfBlock[] =>
  isLossy ? [{ kind: "text", text: say.of("viewer", "lossy.measured") }] : [];

const imageText = (image: ReportMeasurement["image"], say: Say): string =>
  image ? [say.of("study", `kind.${image.kind}`), image.takenAt?.slice(0, 10)].filter(Boolean).join(" · ") : "";

const measurementTable = (measurements: readonly ReportMeasurement[], say: Say): PdfBlock => ({
  kind: "table",
  small: true,
  head: [say("paper.what"), say("paper.value"), say("paper.sure"), say("paper.engine")],
  widths: [3, 2, 3, 3],
  rows: measurements.map((one): PdfRow => ({
    cells: [
      [codeText(one.code, say), placeText(one, say)].filter(Boolean).join(", "),
      valueText(one, say),
      sureText(one.confidence, say),
      `${one.engine.id} ${one.engine.version} (${one.engine.level})`,
    ],
  })),
});

const figure = (value: number): string => String(Number(value.toFixed(2))).replace("-", "−");
const valueText = ({ value, unit }: ReportMeasurement, say: Say): string =>
  typeof value === "boolean"
    ? say(value ? "yes" : "no")
    : [typeof value === "number" ? figure(value) : (value ?? ""), unit ?? ""].filter(Boolean).join(" ");

function placeText({ code, target }: Pick<ReportMeasurement, "code" | "target">, say: Say): string {
  const part = archPartOf(code, target);
  if (part) return [say(`arch.${part.jaw}`), part.cut && say(`arch.${part.cut}`)].filter(Boolean).join(", ");
  if (target.kind === "tooth") return say.tooth(target.fdi);
  if (target.kind !== "region") return "";
  return target.from !== null && target.to !== null
    ? `${say.tooth(target.from)}–${say.tooth(target.to)}`
    : (target.name ?? "");
}

/** Findings have their names in the chart; all landmarks share one name. */
function codeText(code: string, say: Say): string {
  const finding = /^FINDING_(.+)$/.exec(code)?.[1];
  if (finding) return say.of("chart", `finding.${finding}`);
  return say(`code.${code.startsWith("CEPH_LM_") ? "CEPH_LM" : code}`);
}
const codeTexts = (codes: readonly string[], say: Say): string =>
  [...new Set(codes.map((code) => codeText(code, say)))].join(", ");

/** Every engine with its version, what it looked for and what it could not answer; or that none did. */
export function engineBlocks({ engines, analysisCount }: ReportContent, say: Say): PdfBlock[] {
  const levels = honestyLevels.map((level) => `${level}: ${say(`level.${level}`)}`).join("; ");
  return [
    { kind: "heading", text: say("paper.engines") },
    ...(analysisCount ? [{ kind: "text", text: say("paper.analysisCount", { count: analysisCount }) } as const] : []),
    ...(engines.length === 0
      ? [{ kind: "text", text: say("paper.noEngines") } as const]
      : [
          {
            kind: "table",
            small: true,
            head: [say("paper.engine"), say("paper.level"), say("paper.lookedFor"), say("paper.noAnswer")],
            widths: [2.4, 0.8, 4, 3],
            rows: engines.map((one): PdfRow => ({
              cells: [
                [
                  `${one.id} ${one.version}`,
                  imageText(one.image, say),
                  one.clearance && `${say("paper.clearance")}: ${one.clearance}`,
                ]
                  .filter(Boolean)
                  .join("\n"),
                one.level,
                codeTexts(one.lookedFor, say),
                one.abstentions
                  .map(({ code, target, reason }) => {
                    const place = target ? placeText({ code, target }, say) : "";
                    return `${[codeText(code, say), place].filter(Boolean).join(", ")} (${say(`reason.${reason}`)})`;
                  })
                  .join(", "),
              ],
            })),
          } as const,
        ]),
    // Keeps the text with what follows, so that no page contains a signature alone.
    { kind: "text", muted: true, kept: true, text: `${levels}\n${say("paper.notLookedFor")}` },
  ];
}

/** The tracing over its film, and what was measured on it. */
export function cephBlocks({ ceph }: ReportContent, film: PdfPicture | null, say: Say): PdfBlock[] {
  if (!ceph) return [];
  const { drawing } = ceph;
  const drawn = drawing ? tracingBlock(drawing, paperSizes.film, film) : null;
  return [
    { kind: "heading", text: say("paper.ceph"), ...(drawn && { before: drawn.height + 24 }) },
    ...(drawn ? [drawn] : []),
    ...(drawn && !film ? [{ kind: "text", muted: true, text: say("paper.pictureMissing") } as const] : []),
    ...(ceph.rows.length > 0 ? cephTable(ceph, say) : []),
  ];
}

function cephTable(ceph: ReportCeph, say: Say): PdfBlock[] {
  return [
    { kind: "text", text: say("paper.norms", { name: say.of("ceph", `population.${ceph.population}`) }) },
    ...lossBlock(ceph.isLossy, say),
    {
      kind: "table",
      small: true,
      head: ["", say("paper.measure"), say("paper.value"), say("paper.norm"), say("paper.deviation")],
      widths: [1.6, 2.2, 2.2, 2.6, 2.6],
      rows: ceph.rows.map((row): PdfRow => ({
        cells: [
          signed(analysisSigns, row.analysis) ?? say.of("ceph", `analysis.${row.analysis}`),
          signed(measureSigns, row.measure) ?? say.of("ceph", `measure.${row.measure}`),
          cephValue(row, say),
          row.norm
            ? [
                `${figure(row.norm.mean)}${row.norm.sd === null ? "" : ` ± ${figure(row.norm.sd)}`}`,
                row.norm.isOtherAge ? say("paper.otherAge") : (signed(cephSources, row.norm.source) ?? row.norm.source),
              ].join(", ")
            : "",
          row.implausible
            ? say.of("ceph", "place.implausible", { signs: row.implausible.join(", ") })
            : { deviation: row.deviation },
        ],
      })),
    },
  ];
}

/** Returns the sign of a name that is the same in every language. */
const signed = (signs: Readonly<Partial<Record<string, string>>>, name: string): string | undefined => signs[name];

function cephValue({ value, unit, error, isBorderline }: ReportCeph["rows"][number], say: Say): string {
  if (value === null) return say("paper.notMeasured");
  const sign = unit === "degrees" ? "°" : unit === "percent" ? " %" : ` ${unit}`;
  const sure = error === null ? "" : ` ± ${figure(error)}`;
  return `${formatNumber(value, 1)}${sure}${sign}${isBorderline ? `, ${say("paper.borderline")}` : ""}`;
}
