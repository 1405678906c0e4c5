import { isDeciduous, permanentTeeth } from "@arcada/contract/kernel/tooth";
import { isUnassessed, toothListNames } from "@arcada/contract/report/report.shape";
import type { ReportContent, ReportTooth } from "@arcada/contract/report/report.shape";
import { teethDrawing } from "../platform/pdf/tooth-chart.ts";
import type { ToothLook } from "../platform/pdf/tooth-chart.ts";
import type { PdfBlock, PdfFact, PdfRow } from "../platform/pdf/pdf.ts";
import { sureText } from "./paper.machine.ts";
import type { Say } from "./report.say.ts";

/** The score with its formula and counts, or the reason why there is none. */
export function scoreBlocks({ score: said }: ReportContent, say: Say): PdfBlock[] {
  const { score, why, unknown, counts, dmft, functioning, milk } = said;
  const lines = [
    why === "notAssessed" ? say("score.notAssessed", { number: unknown }) : why ? say(`score.${why}`) : null,
    score === null || !counts ? null : say("score.formula", { positions: 28 - counts.leftOut }),
    counts && say("score.counts", counts),
    dmft ? say("score.dmft", dmft) : say("score.dmftUnknown"),
    functioning === null ? null : say("score.functioning", { number: functioning }),
    why === "deciduous" ? (milk ? say("score.milk", milk) : say("score.milkUnknown")) : null,
    score === null ? null : say("score.source"),
  ].filter((line) => line !== null);
  return [
    { kind: "heading", text: say("score.title") },
    score === null
      ? { kind: "text", text: lines.join("\n") }
      : { kind: "figure", figure: String(score), text: [say("score.name"), ...lines].join("\n") },
  ];
}

/**
 * Texts of an empty list: without any assessment nothing can be stated, and after a partial one the statement covers
 * only the assessed teeth.
 */
const emptyWords = (name: keyof ReportContent["lists"], lists: ReportContent["lists"]): string =>
  name === "notAssessed" || lists.notAssessed.length === 0
    ? "list.none"
    : isUnassessed(lists)
      ? "tooth.notAssessed"
      : "list.noneAssessed";

const looks = {
  healthy: { fill: "#c3fae8", stroke: "#0b7f63", line: 1.1 },
  problem: { fill: "#ffe3e3", stroke: "#c92a2a", line: 1.4, strong: true },
  treated: { fill: "#d0ebff", stroke: "#1971c2", line: 1.1 },
  missing: { fill: "#ffffff", stroke: "#ced4da", line: 0.6, dash: 1.5 },
  unerupted: { fill: "#f1f3f5", stroke: "#868e96", line: 0.8, dash: 3 },
  other: { fill: "#ffffff", stroke: "#495057", line: 1 },
  notAssessed: { fill: "#ffffff", stroke: "#adb5bd", line: 0.7, dash: 2 },
} as const satisfies Record<string, ToothLook>;
const order = ["problem", "missing", "unerupted", "treated", "healthy", "notAssessed"] as const;

/** A tooth without a root of its own, as stated by a dentist, is not drawn with one. */
const rootless: Partial<Record<ReportTooth["presence"], NonNullable<ToothLook["below"]>>> = {
  implant: "implant",
  pontic: "nothing",
};

export function chartBlocks({ chart, lists, form }: ReportContent, say: Say): PdfBlock[] {
  const of = (tooth: number) => order.find((list) => lists[list].includes(tooth)) ?? "other";
  const isMilky = chart.teeth.some(({ fdi, presence }) => isDeciduous(fdi) && presence !== "unknown");
  const presences = new Map(chart.teeth.map(({ fdi, presence }) => [fdi, presence]));
  const look = (tooth: number): ToothLook => {
    const list = of(tooth);
    const below = list === "notAssessed" ? undefined : rootless[presences.get(tooth) ?? "unknown"];
    return { ...looks[list], ...(below && { below }) };
  };
  const drawing = teethDrawing({ scheme: form.scheme, milk: isMilky, look });
  return [
    { kind: "heading", text: say("paper.chart"), before: drawing.height + 40 },
    { kind: "drawing", ...drawing },
    {
      kind: "text",
      muted: true,
      text: chart.version === 0 ? say("paper.noChart") : say("paper.chartVersion", { version: chart.version }),
    },
  ];
}

export function listBlocks({ lists, problemTeethNum }: ReportContent, say: Say): PdfBlock[] {
  const rows: PdfFact[] = toothListNames.map((name) => [
    say(`list.${name}`),
    lists[name].length === 0 ? say(emptyWords(name, lists)) : `${say.teeth(lists[name])} (${lists[name].length})`,
  ]);
  return [
    { kind: "heading", text: say("paper.lists") },
    ...(isUnassessed(lists) ? [] : [{ kind: "text", text: say("list.count", { number: problemTeethNum }) } as const]),
    {
      kind: "table",
      head: [say("paper.status"), say("paper.lists")],
      widths: [1.4, 5],
      rows: rows.map(([name, value], at) => ({
        cells: [name, value],
        ...(toothListNames[at]! in looks && { colour: looks[toothListNames[at] as keyof typeof looks].stroke }),
      })),
    },
  ];
}

/** Every permanent tooth and each milk tooth that the chart names, one row each: silence is written out. */
export function perToothBlocks({ chart, lists }: ReportContent, say: Say): PdfBlock[] {
  const byName = new Map(chart.teeth.map((tooth) => [tooth.fdi, tooth]));
  const milk = chart.teeth.map(({ fdi }) => fdi).filter((fdi) => isDeciduous(fdi));
  const rows = [...permanentTeeth, ...milk.toSorted((a, b) => a - b)].map((fdi): PdfRow => {
    const tooth = byName.get(fdi);
    const findings = tooth?.findings ?? [];
    return {
      cells: [
        say.tooth(fdi),
        statusOf(tooth, lists, fdi, say),
        findings.map((one) => findingText(one, say)).join("; "),
        findings.map((one) => statedBy(one, say)).join("; ") || (tooth?.confirmed ? "D" : ""),
      ],
    };
  });
  return [
    { kind: "heading", text: say("paper.perTooth") },
    {
      kind: "table",
      small: true,
      head: [say("paper.tooth"), say("paper.status"), say("paper.findings"), say("paper.basis")],
      widths: [0.7, 1.8, 4, 2.6],
      rows,
    },
  ];
}

function statusOf(tooth: ReportTooth | undefined, lists: ReportContent["lists"], fdi: number, say: Say): string {
  if (lists.notAssessed.includes(fdi)) return say("tooth.notAssessed");
  if (!tooth || tooth.presence === "unknown") return say("tooth.held");
  if (lists.healthy.includes(fdi)) return say("tooth.healthy");
  const crown = tooth.presence === "present" && tooth.crown !== null ? say(`crown.${tooth.crown}`) : "";
  return [say(`tooth.${tooth.presence}`), crown].filter(Boolean).join(", ");
}

export type Described = Pick<ReportTooth["findings"][number], "code" | "surfaces" | "severity"> & {
  remark: string | null;
};
export function findingText({ code, surfaces, severity, remark }: Described, say: Say): string {
  const name = say.of("chart", `finding.${code}`);
  const where = surfaces.map((one) => say.of("chart", `surface.${one}`)).join(" ");
  const how = severity ? say.of("chart", `severity.${severity}`) : "";
  return [[name, where, how].filter(Boolean).join(", "), remark].filter(Boolean).join(": ");
}

function statedBy({ suggestedBy }: ReportTooth["findings"][number], say: Say): string {
  if (!suggestedBy) return "D";
  const { id, version, level, confidence } = suggestedBy;
  return `${level}+D ${id} ${version}, ${sureText(confidence, say)}`;
}
