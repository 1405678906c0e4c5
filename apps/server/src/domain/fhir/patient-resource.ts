import type { Selectable } from "kysely";
import type { Identifier, Organization, Patient } from "@medplum/fhirtypes";
import type { PatientField } from "@arcada/contract/patient/patient-field-definition";
import { columnOf, detailFields, patientFields } from "@arcada/contract/patient/patient-fields";
import type { PatientTable } from "../../tables/schema.generated.ts";
import { systems } from "./fhir-datatypes.ts";
import type { FhirLinks } from "./fhir-datatypes.ts";

interface NamedInstitution {
  id: string;
  name: string;
}

/** A patient's record, as far as R4 has an element for it; the row of each field names its element. */
export function toFhirPatient(
  patient: Selectable<PatientTable>,
  institution: NamedInstitution | undefined,
  links: FhirLinks,
): Patient {
  const { id, number, name, sex, birth_date } = patient;
  const addresses = valuesOf(patient, "address").map(([, text]) => ({ text }));
  const telecom = [
    ...valuesOf(patient, "phone").map(([field, value]) => ({
      system: "phone" as const,
      value,
      use: field === "fixedLine" ? ("home" as const) : ("mobile" as const),
    })),
    ...valuesOf(patient, "email").map(([, value]) => ({ system: "email" as const, value })),
  ];
  return {
    resourceType: "Patient",
    id,
    identifier: [{ system: systems.patientNumber, value: number }, ...otherNumbers(patient)],
    name: [{ text: name }],
    gender: sex,
    ...(birth_date && { birthDate: birth_date }),
    ...(telecom.length > 0 && { telecom }),
    ...(addresses.length > 0 && { address: addresses }),
    ...(institution && {
      managingOrganization: links.refer<Organization>("Organization", institution.id, institution.name),
    }),
  };
}

/** Numbers of papers, and the number in another program of the clinic. */
const otherNumbers = (patient: Selectable<PatientTable>): Identifier[] =>
  (["identityNumber", "entryNumber"] as const).flatMap((element) =>
    valuesOf(patient, element).map(([, value]) => ({ system: systems[element], value })),
  );

const valuesOf = (patient: Selectable<PatientTable>, element: PatientField["fhir"]): [field: string, value: string][] =>
  detailFields
    .filter((field) => patientFields[field].fhir === element)
    .flatMap((field) => {
      const value = patient[columnOf(field)];
      return typeof value === "string" && value !== "" ? [[field, value] as [string, string]] : [];
    });
