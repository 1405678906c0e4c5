/** A DICOM day (DA) as yyyy-mm-dd; null where it is no day of the calendar. */
export function parseDicomDate(text: string): string | null {
  const [, year, month, day] = /^(\d{4})[.-]?(\d{2})[.-]?(\d{2})$/.exec(text.trim()) ?? [];
  const iso = `${year}-${month}-${day}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return year !== undefined && year > "0000" && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso)
    ? iso
    : null;
}
