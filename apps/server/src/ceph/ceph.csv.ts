import type { CephContent } from "@arcada/contract/ceph/ceph.schema";
import { cephAnalysisNames } from "@arcada/analysis/ceph/analyses";
import { cephSources } from "@arcada/analysis/ceph/norms";
import { createCephReport, type CephRow, type CephSubject } from "@arcada/analysis/ceph/ceph-report";
import { landmarkLabel } from "@arcada/analysis/ceph/literature-labels";
import { translate, translatorOf } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";
import { cephNames } from "./ceph-names.ts";

/**
 * Returns every analysis of a tracing as CSV, one line for each measure; numbers have a decimal point, as programs read
 * them (RFC 4180).
 */
export function buildCephCsv(content: CephContent, subject: CephSubject, language: Language, isLossy: boolean): string {
  const t = translatorOf(language, "ceph");
  const head = [
    "analysis",
    "measure",
    "value",
    "error",
    "unit",
    "mean",
    "sd",
    "difference",
    "source",
    "place",
  ] as const;
  const lines = cephAnalysisNames.flatMap((analysis) =>
    createCephReport(content, subject, analysis).rows.map((row) => [
      cephNames.analysis(analysis, t),
      cephNames.measure(row.measure, t),
      ...toCells(row),
      row.implausible.length > 0
        ? t("place.implausible", { signs: row.implausible.map(landmarkLabel).join(" ") })
        : row.place === null
          ? ""
          : t(`place.${row.place}`) + (row.isBorderline ? ` (${t("borderline")})` : ""),
    ]),
  );
  const about = [
    [t("population.title"), t(`population.${content.population}`)],
    [t("calibration.title"), t(`calibration.${content.calibration?.source ?? "none"}`)],
    ...(isLossy ? [[translate(language, "viewer", "lossy.measured")]] : []),
  ];
  const table = [head.map((name) => t(`column.${name}`)), ...lines, [], ...about];
  // The byte order mark tells spreadsheets that the file is UTF-8.
  return `\ufeff${table.map((line) => line.map(quoteCell).join(",")).join("\r\n")}\r\n`;
}

const formatFigure = (value: number | null | undefined): string =>
  value == null ? "" : String(Math.round(value * 100) / 100);

const toCells = ({ value, error, unit, norm, difference }: CephRow): string[] => [
  formatFigure(value),
  formatFigure(error),
  unit === "degrees" ? "°" : unit === "percent" ? "%" : "mm",
  norm ? (norm.range?.map(formatFigure).join("–") ?? formatFigure(norm.mean)) : "",
  formatFigure(norm?.sd),
  formatFigure(difference),
  norm ? cephSources[norm.source] : "",
];

const quoteCell = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
