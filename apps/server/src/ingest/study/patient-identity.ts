import type { DicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { namesOtherPerson, type NamedPerson } from "../../domain/patient-matching.ts";

/** The person whom a DICOM file names: the name as the file writes it, and as people read it. */
export interface Identity extends NamedPerson {
  nameText: string;
  sex: string;
}
type Header = Pick<DicomHeader, "patientName" | "patientNameText" | "patientId" | "patientBirthDate" | "patientSex">;

export const toIdentity = (header: Header): Identity => ({
  name: header.patientName,
  nameText: header.patientNameText,
  number: header.patientId,
  birthDate: header.patientBirthDate,
  sex: header.patientSex,
});

/** Returns all people whom files name, each once. */
export const distinctIdentities = (headers: readonly Header[]): Identity[] => [
  ...new Map(headers.map((header) => [personKey(header), toIdentity(header)])).values(),
];
const personKey = ({ patientName, patientId, patientBirthDate }: Header): string =>
  [patientName, patientId, patientBirthDate].join("\n");

/**
 * Returns the first of these people who is not the patient; null if there is none. De-identified names identify nobody.
 */
export const findOtherIdentity = (
  patient: { name: string; birthDate: string | null },
  people: readonly Identity[],
): Identity | null => people.find((identity) => namesOtherPerson(identity, patient)) ?? null;
