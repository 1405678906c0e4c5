import type { ResourceDefinition, ResourceType } from "../resource-definition.ts";
import { documentReferenceDefinition } from "./document-reference.ts";
import { conditionDefinition, observationDefinition } from "./findings.ts";
import { imagingStudyDefinition } from "./imaging-study.ts";
import { serviceRequestDefinition, taskDefinition } from "./order-resources.ts";
import { organizationDefinition } from "./organization.ts";
import { patientDefinition } from "./patient.ts";
import { practitionerDefinition } from "./practitioner.ts";
import { diagnosticReportDefinition, encounterDefinition } from "./visit-and-report.ts";

/** Every type of resource that is served. Routes, searches and the capability statement follow from these rows. */
export const resourceDefinitions: readonly ResourceDefinition[] = [
  patientDefinition,
  practitionerDefinition,
  organizationDefinition,
  imagingStudyDefinition,
  encounterDefinition,
  conditionDefinition,
  observationDefinition,
  diagnosticReportDefinition,
  documentReferenceDefinition,
  serviceRequestDefinition,
  taskDefinition,
];

export const findDefinition = (type: ResourceType): ResourceDefinition | undefined =>
  resourceDefinitions.find((one) => one.type === type);
