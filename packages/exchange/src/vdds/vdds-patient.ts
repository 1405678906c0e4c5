import type { GdtPatient } from "../gdt/gdt-patient.ts";
import type { IniFile } from "./ini-file.ts";

/** Returns the patient of a VDDS-media call (`[PATIENT]`); null without a number. */
export function findVddsPatient(file: IniFile): GdtPatient | null {
  const patient = file.patient;
  const number = patient?.patid ?? "";
  if (!patient || number === "") return null;
  const sex = (patient.sex ?? "").toUpperCase();
  return {
    number,
    lastName: patient.lastname ?? "",
    firstName: patient.firstname ?? "",
    birthDate: readDay(patient.birthday ?? ""),
    sex: sex === "M" ? "male" : sex === "W" || sex === "F" ? "female" : null,
  };
}

/** yyyymmdd; null for a day that does not exist. */
function readDay(text: string): string | null {
  const iso = text.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");
  const date = new Date(`${iso}T00:00:00Z`);
  return iso.length === 10 && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : null;
}
