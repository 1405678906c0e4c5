/** Years for which a patient's record is kept after the last visit, by country (decision 0039); elsewhere `others`. */
export const retentionYears: Readonly<Record<string, number>> = { CN: 15, DE: 10, ES: 5 };
export const retentionRules = { others: 10, max: 100 } as const;

export const retentionYearsIn = (country: string): number => retentionYears[country] ?? retentionRules.others;
