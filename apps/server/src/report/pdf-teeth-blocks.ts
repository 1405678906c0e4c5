import { getSurfaceName } from "@arcada/contract/chart/surface-name";
import { isDeciduous, permanentTeeth } from "@arcada/contract/kernel/tooth-numbers";
import {
  isToothUnassessed,
  toothListNames,
  type ReportContent,
  type ReportTooth,
} from "@arcada/contract/report/report.schema";
import { drawTeeth, drawTooth, type ToothAppearance } from "../domain/draw-tooth-chart.ts";
import type { PdfBlock, PdfFact, PdfRow } from "../platform/pdf/pdf-blocks.ts";
import type { KeyIn } from "../platform/text/texts.ts";
import { confidenceText } from "./pdf-analysis-blocks.ts";
import type { DocumentTexts } from "./report.texts.ts";

/** The score with its formula and counts, or the reason why there is none. */
export function buildScoreBlocks({ score: scoreContent }: ReportContent, translate: DocumentTexts): PdfBlock[] {
  const { score, why, unknown, counts, dmft, functioning, milk } = scoreContent;
  const lines = [
    why === "notAssessed"
      ? translate("score.notAssessed", { number: unknown })
      : why
        ? translate(`score.${why}`)
        : null,
    score === null || !counts ? null : translate("score.formula", { positions: 28 - counts.leftOut }),
    counts && translate("score.counts", counts),
    dmft ? translate("score.dmft", dmft) : translate("score.dmftUnknown"),
    functioning === null ? null : translate("score.functioning", { number: functioning }),
    why === "deciduous" ? (milk ? translate("score.milk", milk) : translate("score.milkUnknown")) : null,
    score === null ? null : translate("score.source"),
  ].filter((line) => line !== null);
  return [
    { kind: "heading", text: translate("score.title") },
    score === null
      ? { kind: "text", text: lines.join("\n") }
      : { kind: "figure", figure: String(score), text: [translate("score.name"), ...lines].join("\n") },
  ];
}

/** The score as a dial, with what it rests on; without a score, the reason. */
export function buildDialBlock(content: ReportContent, translate: DocumentTexts): PdfBlock {
  const { score, why, unknown, counts, milk } = content.score;
  const name = content.signature?.name ?? content.writer;
  const lines =
    score === null
      ? [
          why === null ? null : translate(`score.${why}`, { number: unknown }),
          why === "deciduous" ? (milk ? translate("score.milk", milk) : translate("score.milkUnknown")) : null,
        ]
      : [
          translate("paper.restsOnChart", { name }),
          counts && translate("score.counts", counts),
          `${translate("score.source")} ${translate("paper.inAnnex")}`,
        ];
  return {
    kind: "dial",
    score,
    below: score === null ? "" : translate("paper.outOf"),
    heading: translate("score.title"),
    lines: lines.filter((line) => line !== null),
  };
}

/**
 * Texts of an empty list: without any assessment nothing can be stated, and after a partial one the statement covers
 * only the assessed teeth.
 */
const emptyListKey = (name: keyof ReportContent["lists"], lists: ReportContent["lists"]): KeyIn<"report"> =>
  name === "notAssessed" || lists.notAssessed.length === 0
    ? "list.none"
    : isToothUnassessed(lists)
      ? "tooth.notAssessed"
      : "list.noneAssessed";

const chartAppearance = {
  healthy: { fill: "#c3fae8", stroke: "#0b7f63", line: 1.1 },
  problem: { fill: "#ffe3e3", stroke: "#c92a2a", line: 1.4, strong: true },
  treated: { fill: "#d0ebff", stroke: "#1971c2", line: 1.1 },
  missing: { fill: "#ffffff", stroke: "#ced4da", line: 0.6, dash: 1.5 },
  unerupted: { fill: "#f1f3f5", stroke: "#868e96", line: 0.8, dash: 3 },
  other: { fill: "#ffffff", stroke: "#495057", line: 1 },
  notAssessed: { fill: "#ffffff", stroke: "#adb5bd", line: 0.7, dash: 2 },
} as const satisfies Record<string, ToothAppearance>;
const order = ["problem", "missing", "unerupted", "treated", "healthy", "notAssessed"] as const;

/** A tooth without a root of its own, as stated by a dentist, is not drawn with one. */
const rootless: Partial<Record<ReportTooth["presence"], NonNullable<ToothAppearance["below"]>>> = {
  implant: "implant",
  pontic: "nothing",
};

const appearanceOf = ({ lists }: ReportContent, tooth: number): ToothAppearance =>
  chartAppearance[order.find((list) => lists[list].includes(tooth)) ?? "other"];

/** The tooth of a problem, for a report without a picture of it. */
export const drawProblemTooth = (fdi: number, content: ReportContent) => {
  const presence = content.chart.teeth.find((tooth) => tooth.fdi === fdi)?.presence ?? "unknown";
  const below = rootless[presence];
  return drawTooth(fdi, { ...appearanceOf(content, fdi), ...(below && { below }) });
};

export function buildChartBlocks(content: ReportContent, translate: DocumentTexts): PdfBlock[] {
  const { chart, lists, form } = content;
  const of = (tooth: number) => order.find((list) => lists[list].includes(tooth)) ?? "other";
  const isMilky = chart.teeth.some(({ fdi, presence }) => isDeciduous(fdi) && presence !== "unknown");
  const presences = new Map(chart.teeth.map(({ fdi, presence }) => [fdi, presence]));
  const look = (tooth: number): ToothAppearance => {
    const list = of(tooth);
    const below = list === "notAssessed" ? undefined : rootless[presences.get(tooth) ?? "unknown"];
    return { ...chartAppearance[list], ...(below && { below }) };
  };
  const drawing = drawTeeth({ scheme: form.scheme, hasDeciduous: isMilky, appearance: look });
  return [
    { kind: "heading", text: translate("paper.yourTeeth"), before: drawing.height + 40 },
    { kind: "drawing", ...drawing },
    { kind: "legend", items: legendItems(content, translate) },
    ...(chart.version === 0 ? [{ kind: "text", muted: true, text: translate("paper.noChart") } as const] : []),
  ];
}

/** The lists that name a tooth, and problems always: nobody may take silence for a result. */
const legendItems = ({ lists }: ReportContent, translate: DocumentTexts) =>
  order
    .filter((name) => lists[name].length > 0 || name === "problem")
    .map((name) => ({
      colour: chartAppearance[name].stroke,
      text: `${translate(`list.${name}`)}: ${
        lists[name].length === 0
          ? translate(emptyListKey(name, lists))
          : name === "healthy"
            ? lists[name].length
            : `${lists[name].length} (${translate.teeth(lists[name])})`
      }`,
    }));

export function buildListBlocks(
  { chart, lists, problemTeethNum }: ReportContent,
  translate: DocumentTexts,
): PdfBlock[] {
  const rows: PdfFact[] = toothListNames.map((name) => [
    translate(`list.${name}`),
    lists[name].length === 0
      ? translate(emptyListKey(name, lists))
      : `${translate.teeth(lists[name])} (${lists[name].length})`,
  ]);
  return [
    { kind: "heading", text: translate("paper.lists") },
    {
      kind: "text",
      muted: true,
      text:
        chart.version === 0 ? translate("paper.noChart") : translate("paper.chartVersion", { version: chart.version }),
    },
    ...(isToothUnassessed(lists)
      ? []
      : [{ kind: "text", text: translate("list.count", { number: problemTeethNum }) } as const]),
    {
      kind: "table",
      head: [translate("paper.status"), translate("paper.lists")],
      widths: [1.4, 5],
      rows: rows.map(([name, value], at) => ({
        cells: [name, value],
        ...(toothListNames[at]! in chartAppearance && {
          colour: chartAppearance[toothListNames[at] as keyof typeof chartAppearance].stroke,
        }),
      })),
    },
  ];
}

/** Every permanent tooth and each milk tooth that the chart names, one row each: silence is written out. */
export function buildToothBlocks({ chart, lists }: ReportContent, translate: DocumentTexts): PdfBlock[] {
  const byName = new Map(chart.teeth.map((tooth) => [tooth.fdi, tooth]));
  const milk = chart.teeth.map(({ fdi }) => fdi).filter((fdi) => isDeciduous(fdi));
  const rows = [...permanentTeeth, ...milk.toSorted((a, b) => a - b)].map((fdi): PdfRow => {
    const tooth = byName.get(fdi);
    const findings = tooth?.findings ?? [];
    return {
      cells: [
        translate.tooth(fdi),
        describeToothStatus(tooth, lists, fdi, translate),
        findings.map((one) => describeFinding(fdi, one, translate)).join("; "),
        findings.map((one) => describeSource(one, translate)).join("; ") || (tooth?.confirmed ? "D" : ""),
      ],
    };
  });
  return [
    { kind: "heading", text: translate("paper.perTooth") },
    {
      kind: "table",
      small: true,
      head: [
        translate("paper.tooth"),
        translate("paper.status"),
        translate("paper.findings"),
        translate("paper.basis"),
      ],
      widths: [0.7, 1.8, 4, 2.6],
      rows,
    },
  ];
}

function describeToothStatus(
  tooth: ReportTooth | undefined,
  lists: ReportContent["lists"],
  fdi: number,
  translate: DocumentTexts,
): string {
  if (lists.notAssessed.includes(fdi)) return translate("tooth.notAssessed");
  if (!tooth || tooth.presence === "unknown") return translate("tooth.held");
  if (lists.healthy.includes(fdi)) return translate("tooth.healthy");
  const crown = tooth.presence === "present" && tooth.crown !== null ? translate(`crown.${tooth.crown}`) : "";
  return [translate(`tooth.${tooth.presence}`), crown].filter(Boolean).join(", ");
}

export type DescribedFinding = Pick<ReportTooth["findings"][number], "code" | "surfaces" | "severity"> & {
  remark: string | null;
};
export function describeFinding(
  fdi: number | null,
  { code, surfaces, severity, remark }: DescribedFinding,
  translate: DocumentTexts,
): string {
  const name = translate.of("chart", `finding.${code}`);
  const where = surfaces.map((one) => translate.of("chart", `surface.${getSurfaceName(fdi, one)}`)).join(" ");
  const how = severity ? translate.of("chart", `severity.${severity}`) : "";
  return [[name, where, how].filter(Boolean).join(", "), remark].filter(Boolean).join(": ");
}

function describeSource({ suggestedBy }: ReportTooth["findings"][number], translate: DocumentTexts): string {
  if (!suggestedBy) return "D";
  const { id, version, level, confidence } = suggestedBy;
  return `${level}+D ${id} ${version}, ${confidenceText(confidence, translate)}`;
}
