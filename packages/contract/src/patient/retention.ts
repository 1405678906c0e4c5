/** Years for which a patient's record is kept after the last visit, by country (decision 0039); elsewhere `others`. */
export const retentionYears: Readonly<Record<string, number>> = { CN: 15, DE: 10, ES: 5 };
export const retentionRules = { others: 10, most: 100 } as const;

export const yearsIn = (country: string): number => retentionYears[country] ?? retentionRules.others;

/** The day on which a record may go: so many years after its last visit. */
export function keptUntil(lastVisit: string, years: number): string {
  const [year = 0, month = 1, day = 1] = lastVisit.slice(0, 10).split("-").map(Number);
  // 29 February becomes 1 March where that year has none.
  return new Date(Date.UTC(year + years, month - 1, day)).toISOString().slice(0, 10);
}
