/** A table as spreadsheets read it: UTF-8 with its mark, every cell quoted, lines ended as RFC 4180 says. */
export const csvMark = "\uFEFF";
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(",")}\r\n`;

/** A cell that begins like a formula would be one in a spreadsheet: an apostrophe makes it a text. */
const csvCell = (text: string): string =>
  `"${(/^[\s]*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
