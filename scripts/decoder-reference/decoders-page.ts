import type { RenderedRow } from "./rendered-table.ts";
import type { DecoderRow } from "./decoder-table.ts";

/** Renders the comparison of our decoders with others, file by file. */
export function renderDecodersPage(table: readonly DecoderRow[], shown: readonly RenderedRow[]): string {
  const bySyntax = Map.groupBy(table, ({ syntax }) => syntax);
  const sorted = [...bySyntax].sort(([one], [other]) => one.localeCompare(other, "en", { numeric: true }));
  const count = (state: State) => table.filter((row) => comparisonState(row) === state).length;
  return [
    "# Decoders",
    "",
    "Made by `node scripts/decoder-reference/generate-tables.ts`; a test compares every file's pixels with the table that this page shows.",
    "Equal means: SHA-256 over the stored values of all frames is the same as that of another decoder. Truth comes from DCMTK 3.6.7",
    "(`dcmconv`, `dcmdjpeg`, `dcmdjpls`, `dcmdrle`), from OpenJPEG 2.5.0 (`opj_decompress`: JPEG 2000 and HTJ2K) or, where neither reads",
    "a syntax, from a file that holds the same picture in another one. The files are not part of the repository.",
    "",
    `${table.length} files: ${count("equal")} equal, ${count("near")} near, ${count("alone")} decoded without a second opinion, ${count("empty")} without pixels, ${count("refused")} refused.`,
    "",
    "What is read but not shown as its maker meant it: overlays over slices of a volume, which the viewer says",
    "(`rendered` has them), and the parts of presentation states that the viewer names: modality look-up tables, compound graphics, bitmap",
    "shutters, turning by other than quarters, subtraction, colour. A presentation state about slices of a volume is named, not applied.",
    "",
    ...sorted.flatMap(([syntax, rows]) => [
      `## ${syntax === "" ? "Not read" : `${syntaxNames[syntax.replace("1.2.840.10008.1.2", "")] ?? "Another syntax"} (${syntax})`}`,
      "",
      "| file | picture | result |",
      "|---|---|---|",
      ...rows.map((row) => `| ${row.file} | ${row.picture} | ${describeRow(row)} |`),
      "",
    ]),
    ...renderFramesSection(shown),
  ]
    .join("\n")
    .trimEnd()
    .concat("\n");
}

function renderFramesSection(shown: readonly RenderedRow[]): string[] {
  const compared = shown.filter(({ furthest }) => furthest !== null);
  return [
    "## Shown",
    "",
    "First frames through modality and VOI transformation with their overlays, beside `dcmj2pnm` of DCMTK 3.6.7: the furthest of 256 shades.",
    "`made/` are small pictures for functions that no real file here uses. Files whose syntax DCMTK does not show are compared with our own",
    "picture of the day this page was made.",
    "",
    `${compared.filter(({ furthest }) => furthest! <= 1).length} of ${compared.length} within one shade; ${shown.length - compared.length} more without a second opinion.`,
    "",
    "| file | DCMTK was told | furthest |",
    "|---|---|---|",
    ...shown.map(
      ({ file, told, furthest, note }) =>
        `| ${file} | ${told} | ${furthest === null ? "not shown by DCMTK" : furthest}${note ? ` (${note})` : ""} |`,
    ),
    "",
  ];
}

type State = "equal" | "near" | "alone" | "empty" | "refused";

function comparisonState({ ours, theirs }: DecoderRow): State {
  if ("refused" in ours) return ours.refused === "noPixels" ? "empty" : "refused";
  if (theirs === null) return "alone";
  return theirs.pixels === ours.pixels ? "equal" : "near";
}

function describeRow(row: DecoderRow): string {
  const note = row.note === undefined ? "" : ` (${row.note})`;
  if ("refused" in row.ours)
    return row.ours.refused === "noPixels" ? "no pixels in it" : `refused, ${row.ours.refused}: ${row.ours.detail}`;
  if (row.theirs === null) return `decoded${note}`;
  return `${row.theirs.pixels === row.ours.pixels ? "equal to" : "near"} ${row.theirs.by}${note}`;
}

const syntaxNames: Record<string, string> = {
  "": "Implicit VR Little Endian",
  ".1": "Explicit VR Little Endian",
  ".1.99": "Deflated Explicit VR Little Endian",
  ".2": "Explicit VR Big Endian",
  ".4.50": "JPEG Baseline",
  ".4.51": "JPEG Extended",
  ".4.57": "JPEG Lossless",
  ".4.70": "JPEG Lossless, first-order prediction",
  ".4.80": "JPEG-LS Lossless",
  ".4.81": "JPEG-LS Near-lossless",
  ".4.90": "JPEG 2000 Lossless",
  ".4.91": "JPEG 2000",
  ".4.201": "HTJ2K Lossless",
  ".4.202": "HTJ2K Lossless, RPCL",
  ".4.203": "HTJ2K",
  ".5": "RLE Lossless",
  ".8.1": "Deflated Image Frame Compression",
};
