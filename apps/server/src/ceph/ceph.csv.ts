import type { CephContent } from "@arcada/contract/ceph/ceph.shape";
import { cephAnalysisNames } from "@arcada/analysis/ceph/analyses";
import { cephSources } from "@arcada/analysis/ceph/norms";
import { cephReport, type CephRow, type CephSubject } from "@arcada/analysis/ceph/report";
import { landmarkSign } from "@arcada/analysis/ceph/signs";
import { textOf } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";
import { nameOf } from "./ceph.ts";

/**
 * Returns every analysis of a tracing as CSV, one line for each measure; numbers have a decimal point, as programs read
 * them (RFC 4180).
 */
export function cephCsv(content: CephContent, subject: CephSubject, language: Language, isLossy: boolean): string {
  const say = (key: string) => textOf(language, "ceph", key);
  const head = ["analysis", "measure", "value", "error", "unit", "mean", "sd", "difference", "source", "place"];
  const lines = cephAnalysisNames.flatMap((analysis) =>
    cephReport(content, subject, analysis).rows.map((row) => [
      nameOf.analysis(analysis, say),
      nameOf.measure(row.measure, say),
      ...cells(row),
      row.implausible.length > 0
        ? textOf(language, "ceph", "place.implausible", { signs: row.implausible.map(landmarkSign).join(" ") })
        : row.place === null
          ? ""
          : say(`place.${row.place}`) + (row.isBorderline ? ` (${say("borderline")})` : ""),
    ]),
  );
  const about = [
    [say("population.title"), say(`population.${content.population}`)],
    [say("calibration.title"), say(`calibration.${content.calibration?.source ?? "none"}`)],
    ...(isLossy ? [[textOf(language, "viewer", "lossy.measured")]] : []),
  ];
  const table = [head.map((name) => say(`column.${name}`)), ...lines, [], ...about];
  // The byte order mark tells spreadsheets that the file is UTF-8.
  return `\ufeff${table.map((line) => line.map(quoted).join(",")).join("\r\n")}\r\n`;
}

const figure = (value: number | null | undefined): string =>
  value == null ? "" : String(Math.round(value * 100) / 100);

const cells = ({ value, error, unit, norm, difference }: CephRow): string[] => [
  figure(value),
  figure(error),
  unit === "degrees" ? "°" : unit === "percent" ? "%" : "mm",
  norm ? (norm.range?.map(figure).join("–") ?? figure(norm.mean)) : "",
  figure(norm?.sd),
  figure(difference),
  norm ? cephSources[norm.source] : "",
];

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
