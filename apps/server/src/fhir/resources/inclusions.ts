import type { Patient, Reference, Resource } from "@medplum/fhirtypes";
import type { Inclusion } from "../resource-definition.ts";
import { isUuid, readReference } from "../search/search-parameters.ts";

/** The patient of a match. A reference to a contained patient leads to no record. */
export const patientInclusion = (
  find: (resource: Resource) => Reference<Patient> | Reference | undefined,
): Inclusion => ({
  target: "Patient",
  idOf: (resource) => {
    const id = readReference(find(resource)?.reference ?? "", "Patient");
    return id !== null && isUuid(id) ? id : null;
  },
});
