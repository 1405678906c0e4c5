import { Readable } from "node:stream";
import { offsetMinutesIn } from "@arcada/contract/kernel/time-zone";
import { guardStream } from "../storage/guarded-stream.ts";
import { streamZip, type ZipEntry } from "../storage/zip-writer.ts";

/** A text, a number, a calendar day (YYYY-MM-DD), or an instant with the time zone in which it is shown. */
export type Cell = string | number | null | { day: string } | { instant: string; zone: string };

export const spreadsheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

export interface Sheet {
  name: string;
  /** True if the sheet is read from right to left. */
  rightToLeft: boolean;
  columns: readonly { title: string; width: number }[];
  /** Rows arrive in batches, because one at a time would cost a tick each. A batch is emptied as it is written. */
  rows: AsyncIterable<(readonly Cell[])[]>;
}

/**
 * Streams a workbook of one sheet (ISO/IEC 29500, SpreadsheetML): a row is written and released, so that their number
 * is not limited by memory. Strings are stored in their cells as text, so that none is ever a formula.
 */
export function writeSpreadsheet(sheet: Sheet): Readable {
  const files = Object.entries(workbookParts(sheet)).map(([path, text]) =>
    entry(path, () => [Buffer.from(head + text)]),
  );
  const rows = entry("xl/worksheets/sheet1.xml", () => sheetText(sheet));
  // It is compressed while it is read. An error of the rows is an error of the workbook, and both end when the reader
  // goes away.
  return guardStream(Readable.from(streamZip([...files, rows]), { objectMode: false }));
}

const entry = (path: string, open: ZipEntry["open"]): ZipEntry => ({
  path,
  at: fixedDate,
  bytes: null,
  compress: true,
  open,
});

/** A fixed time, so that the same table always has the same bytes. */
const fixedDate = new Date(Date.UTC(2000, 0, 1));
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packaged = "http://schemas.openxmlformats.org/package/2006";
const typed = "application/vnd.openxmlformats-officedocument.spreadsheetml";

const workbookParts = ({ name }: Sheet): Record<string, string> => ({
  "[Content_Types].xml": `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${typed}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${typed}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${typed}.styles+xml"/></Types>`,
  "_rels/.rels": `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${escapeXml(sheetName(name))}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  "xl/styles.xml": `<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
});
/** Indices in `cellXfs`. */
const styles = { title: 1, day: 2, instant: 3 } as const;

/**
 * Removes the rows from the array that was passed in, and in small batches: promises of a long loop keep each other's
 * results until all memory is collected, not only the young generation.
 */
async function* sheetText({ columns, rows, rightToLeft }: Sheet): AsyncGenerator<Buffer> {
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  const opening = `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"${rightToLeft ? ' rightToLeft="1"' : ""}><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join("")}</cols><sheetData>`;
  yield Buffer.from(opening + row(columns.map(({ title }) => textCell(title, styles.title))));
  for await (const some of rows) while (some.length > 0) yield Buffer.from(textOf(some.splice(0, batchSize)));
  yield Buffer.from("</sheetData></worksheet>");
}

const batchSize = 25;
const textOf = (some: (readonly Cell[])[]): string => some.map((cells) => row(cells.map(cell))).join("");
const row = (cells: readonly string[]): string => `<row>${cells.join("")}</row>`;

function cell(value: Cell): string {
  if (value === null || value === "") return "<c/>";
  if (typeof value === "string") return textCell(value);
  if (typeof value === "number") return numberCell(value);
  if ("day" in value) return numberCell(toSerialDay(Date.parse(`${value.day}T00:00:00Z`)).toFixed(0), styles.day);
  return numberCell(
    toSerialDay(Date.parse(value.instant) + offsetMinutesIn(value.zone, value.instant) * 60_000).toFixed(
      serialDecimals,
    ),
    styles.instant,
  );
}

const textCell = (value: string, style = 0): string =>
  `<c t="inlineStr"${style ? ` s="${style}"` : ""}><is><t xml:space="preserve">${escapeXml(value.slice(0, maxCellLength))}</t></is></c>`;
const numberCell = (value: number | string, style = 0): string =>
  `<c${style ? ` s="${style}"` : ""}><v>${value}</v></c>`;

/**
 * Returns the serial day number of spreadsheets (1970-01-01 is 25,569). It is written with `toFixed`: V8 caches the
 * texts of other numbers, and the old cache stays in memory until a full garbage collection.
 */
const toSerialDay = (ms: number): number => ms / 86_400_000 + 25_569;
/** The decimal places that a double can hold for such a day. */
const serialDecimals = 11;

// The limits of a cell's length, and of the name of a sheet.
const maxCellLength = 32_767;
const sheetName = (name: string): string => name.replace(/[\\/?*[\]:]/g, " ").slice(0, 31);

// Control characters and unpaired surrogates are not valid XML.
const escapeXml = (value: string): string =>
  value
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/[&<>"]/g, (sign) => escapes[sign]!);
const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
