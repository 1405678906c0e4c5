import type { CasePatient } from "@arcada/exchange/lab-case/lab-case";

interface PatientRow {
  id: string;
  number: string;
  name: string;
}
export interface PatientMatch<Row extends PatientRow> {
  patient: Row;
  /** Numbers of another program may be another patient's here, unless the name agrees, too. */
  by: "numberAndName" | "name" | "number";
}

/** Returns the patient whom a case most likely means; null if none or several do. */
export function matchPatient<Row extends PatientRow>(
  named: CasePatient,
  rows: readonly Row[],
): PatientMatch<Row> | null {
  const hasNumber = ({ number }: Row) => named.number !== null && number.toLowerCase() === named.number.toLowerCase();
  const wanted = nameKey(describePatientName(named));
  const hasName = ({ name }: Row) => wanted !== "" && nameKey(name) === wanted;
  for (const [by, fits] of [
    ["numberAndName", (row: Row) => hasNumber(row) && hasName(row)],
    ["name", hasName],
    ["number", hasNumber],
  ] as const) {
    const found = rows.filter(fits);
    if (found.length === 1) return { patient: found[0]!, by };
    if (found.length > 1) return null;
  }
  return null;
}

/** The name as a person writes it: Chinese without a space, the family name first. */
export function describePatientName({ lastName, firstName }: CasePatient): string {
  const parts = [lastName, firstName].filter((one) => one !== null);
  return parts.every((one) => /^\p{Script=Han}+$/u.test(one)) ? parts.join("") : parts.join(" ");
}

/** The same for "Hart, Amelia" and "Amelia Hart". */
const nameKey = (name: string): string =>
  name
    .toLowerCase()
    .split(/[\s,^=]+/)
    .filter(Boolean)
    .toSorted((one, other) => one.localeCompare(other))
    .join(" ");
