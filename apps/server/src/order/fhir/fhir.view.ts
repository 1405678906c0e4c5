import type {
  CodeableConcept,
  Coding,
  Identifier,
  Organization,
  Patient,
  Reference,
  ServiceRequest,
  Task,
} from "@medplum/fhirtypes";
import { findRights } from "@arcada/contract/order/receiver-rights";
import { findTaskStatus, taskTable } from "@arcada/contract/order/fhir-task-status";
import { translate } from "../../platform/text/texts.ts";
import type { Language } from "../../platform/text/texts.ts";
import type { NamedOrder } from "../core/order.read.ts";
import { sideOf } from "../transition/guards.ts";

/** Our own systems: stable names, not addresses. */
export const systems = {
  orderNumber: "urn:arcada:order-number",
  patientNumber: "urn:arcada:patient-number",
  organisationNumber: "urn:arcada:organisation-number",
  organisationType: "urn:arcada:organisation-type",
  orderState: "urn:arcada:order-state",
  caseType: "urn:arcada:case-type",
  workKind: "urn:arcada:work-kind",
  itemKind: "urn:arcada:item-kind",
  // FDI's two digits are ISO 3950; R4's own list of them is given as well
  // (http://hl7.org/fhir/R4/codesystem-tooth.html).
  tooth: "urn:iso:std:iso:3950",
  exampleTooth: "http://terminology.hl7.org/CodeSystem/ex-tooth",
  taskCode: "http://hl7.org/fhir/CodeSystem/task-code",
} as const;

export interface FhirReader {
  iid: string;
  language: Language;
}

/** An order as a task that one institution requests from another. */
export function toTask(order: NamedOrder, { language }: FhirReader): Task {
  const display = translate(language, "notice", `state.${order.state}`);
  return {
    resourceType: "Task",
    id: order.id,
    meta: { versionId: String(order.version), lastUpdated: order.updated_at },
    contained: [toPatient(order)],
    identifier: orderIdentifiers(order),
    basedOn: [{ reference: `ServiceRequest/${order.id}` }],
    status: findTaskStatus({ ...order, isAsked: order.info_request !== null }),
    ...(order.info_request !== null && { statusReason: { text: order.info_request } }),
    businessStatus: { coding: [{ system: systems.orderState, code: order.state, display }] },
    intent: "order",
    priority: "routine",
    code: { coding: [{ system: systems.taskCode, code: "fulfill" }] },
    focus: { reference: `ServiceRequest/${order.id}` },
    for: { reference: "#patient" },
    ...(order.accepted_at && {
      executionPeriod: { start: order.accepted_at, ...(order.completed_at && { end: order.completed_at }) },
    }),
    authoredOn: order.created_at,
    lastModified: order.updated_at,
    requester: senderReference(order),
    ...(order.receiver_id && { owner: receiverReference(order) }),
    ...(order.due_date && { restriction: { period: { end: order.due_date } } }),
  };
}

/** The same as a prescription. A reader who keeps only the order's line gets no more of it here. */
export function toServiceRequest(order: NamedOrder, { iid }: FhirReader): ServiceRequest {
  const isComplete = sideOf(order, { iid }) === "sender" || findRights(order).reads === "all";
  const items = isComplete ? order.rx.items : [];
  const teeth = [...new Set(items.flatMap((item) => item.teeth))].toSorted((one, other) => one - other);
  const details = [
    ...order.rx.workKinds.map((kind) => toConcept(systems.workKind, kind)),
    ...items.map((item) => ({
      coding: [{ system: systems.itemKind, code: item.kind }],
      text: [item.kind, item.teeth.join(", "), item.material, item.shade].filter(Boolean).join("; "),
    })),
  ];
  const note = isComplete ? order.rx.instructions : null;
  return {
    resourceType: "ServiceRequest",
    id: order.id,
    meta: { versionId: String(order.version), lastUpdated: order.updated_at },
    contained: [toPatient(order)],
    identifier: orderIdentifiers(order),
    status: taskTable[order.state].request,
    intent: "order",
    category: [toConcept(systems.caseType, order.case_type)],
    priority: "routine",
    code: toConcept(systems.caseType, order.case_type),
    ...(details.length > 0 && { orderDetail: details }),
    subject: { reference: "#patient" },
    ...(order.due_date && { occurrenceDateTime: order.due_date }),
    authoredOn: order.created_at,
    requester: senderReference(order),
    ...(order.receiver_id && { performer: [receiverReference(order)] }),
    ...(teeth.length > 0 && { bodySite: teeth.map((tooth) => ({ coding: toothCodes(String(tooth)) })) }),
    ...(note && { note: [{ text: note }] }),
  };
}

const toothCodes = (code: string): Coding[] => [
  { system: systems.tooth, code },
  { system: systems.exampleTooth, code },
];
const toConcept = (system: string, code: string): CodeableConcept => ({ coding: [{ system, code }] });
const orderIdentifiers = (order: NamedOrder): Identifier[] => [{ system: systems.orderNumber, value: order.number }];

/** The patient as this reader may know them; the record itself is not a resource here. */
function toPatient({ shown_name: name, shown_number: number }: NamedOrder): Patient {
  return {
    resourceType: "Patient",
    id: "patient",
    ...(number !== "" && { identifier: [{ system: systems.patientNumber, value: number }] }),
    ...(name !== "" && { name: [{ text: name }] }),
  };
}

const organizationReference = (id: string, display: string): Reference<Organization> => ({
  reference: `Organization/${id}`,
  type: "Organization",
  display,
});
const senderReference = (order: NamedOrder): Reference<Organization> =>
  organizationReference(order.institution_id, order.sender_name);
const receiverReference = (order: NamedOrder): Reference<Organization> =>
  organizationReference(order.receiver_id ?? "", order.receiver_name ?? "");
