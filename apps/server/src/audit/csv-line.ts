/** A table as spreadsheets read it: UTF-8 with a byte order mark, every cell quoted, line ends as in RFC 4180. */
export const csvByteOrderMark = "\uFEFF";
export const toCsvLine = (cells: readonly string[]): string => `${cells.map(toCsvCell).join(",")}\r\n`;

/** A cell that begins like a formula would be one in a spreadsheet: an apostrophe makes it a text. */
const toCsvCell = (text: string): string =>
  `"${(/^[\s]*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
