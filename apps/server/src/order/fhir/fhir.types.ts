/** The parts of HL7 FHIR R4 (4.0.1) that are answered; fields that are never filled are left out. */
export interface Coding {
  system?: string;
  code: string;
  display?: string;
}
export interface Concept {
  coding?: Coding[];
  text?: string;
}
export interface Identifier {
  system: string;
  value: string;
}
export interface Reference {
  reference?: string;
  type?: string;
  identifier?: Identifier;
  display?: string;
}
interface Period {
  start?: string;
  end?: string;
}
interface Meta {
  versionId?: string;
  lastUpdated: string;
}
export interface Patient {
  resourceType: "Patient";
  id: string;
  identifier?: Identifier[];
  name?: { text: string }[];
}
export interface Organization {
  resourceType: "Organization";
  id: string;
  identifier: Identifier[];
  active: true;
  type: Concept[];
  name: string;
  address?: { country: string }[];
}
export interface Task {
  resourceType: "Task";
  id: string;
  meta: Meta;
  contained: Patient[];
  identifier: Identifier[];
  basedOn: Reference[];
  status: string;
  statusReason?: Concept;
  businessStatus: Concept;
  intent: "order";
  priority: "routine";
  code: Concept;
  focus: Reference;
  for: Reference;
  executionPeriod?: Period;
  authoredOn: string;
  lastModified: string;
  requester: Reference;
  owner?: Reference;
  restriction?: { period: Period };
}
export interface ServiceRequest {
  resourceType: "ServiceRequest";
  id: string;
  meta: Meta;
  contained: Patient[];
  identifier: Identifier[];
  status: string;
  intent: "order";
  category: Concept[];
  priority: "routine";
  code: Concept;
  orderDetail?: Concept[];
  subject: Reference;
  occurrenceDateTime?: string;
  authoredOn: string;
  requester: Reference;
  performer?: Reference[];
  bodySite?: Concept[];
  note?: { text: string }[];
}
export interface Bundle {
  resourceType: "Bundle";
  type: "searchset";
  total: number;
  link: { relation: "self" | "next"; url: string }[];
  entry?: { fullUrl: string; resource: Task; search: { mode: "match" } }[];
}
export interface OperationOutcome {
  resourceType: "OperationOutcome";
  issue: { severity: "error"; code: string; diagnostics: string }[];
}
