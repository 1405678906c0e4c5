import type {
  Coding,
  Extension,
  Identifier,
  ImagingStudy,
  Organization,
  Patient,
  Reference,
  ServiceRequest,
  Task,
} from "@medplum/fhirtypes";
import { findRights } from "@arcada/contract/order/receiver-rights";
import { findTaskStatus, taskTable } from "@arcada/contract/order/fhir-task-status";
import { serverLinks, systems, toCodeableConcept } from "../../domain/fhir/fhir-datatypes.ts";
import { translate } from "../../platform/text/texts.ts";
import type { NamedOrder } from "../../order/core/order.read.ts";
import type { FhirReader } from "../fhir-context.ts";

/** Extensions of our own: parts of an item, those of the whole prescription, the day that the lab has promised, and the shipment. */
export const orderItemExtension = "urn:arcada:order-item";
export const prescriptionExtension = "urn:arcada:prescription";
export const shipmentExtension = "urn:arcada:shipment";
export const promisedDateExtension = "urn:arcada:promised-date";

/** An order as a task that one institution requests from another. */
export function toTask(order: NamedOrder, { iid, language }: Pick<FhirReader, "iid" | "language">): Task {
  const display = translate(language, "notice", `state.${order.state}`);
  return {
    resourceType: "Task",
    id: order.id,
    meta: { versionId: String(order.version), lastUpdated: order.updated_at },
    ...containedPatient(order, iid),
    ...taskExtensions(order),
    identifier: orderIdentifiers(order),
    basedOn: [{ reference: `ServiceRequest/${order.id}` }],
    status: findTaskStatus({ ...order, isAsked: order.info_request !== null }),
    ...(order.info_request !== null && { statusReason: { text: order.info_request } }),
    businessStatus: { coding: [{ system: systems.orderState, code: order.state, display }] },
    intent: "order",
    priority: "routine",
    code: { coding: [{ system: systems.taskCode, code: "fulfill" }] },
    focus: { reference: `ServiceRequest/${order.id}` },
    for: patientReference(order, iid),
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

function taskExtensions({ promised_date, dispatched_at, ...order }: NamedOrder): { extension?: Extension[] } {
  const shipment: Extension[] = [
    ...(order.carrier ? [{ url: "carrier", valueString: order.carrier }] : []),
    ...(order.tracking_number ? [{ url: "trackingNumber", valueString: order.tracking_number }] : []),
    ...(order.hand_delivery ? [{ url: "handDelivery", valueBoolean: true }] : []),
  ];
  const extension: Extension[] = [
    ...(promised_date ? [{ url: promisedDateExtension, valueDate: promised_date }] : []),
    ...(dispatched_at && shipment.length > 0 ? [{ url: shipmentExtension, extension: shipment }] : []),
  ];
  return extension.length > 0 ? { extension } : {};
}

/** The same as a prescription. A reader who keeps only the order's line gets no more of it here. */
export function toServiceRequest(order: NamedOrder, { iid }: Pick<FhirReader, "iid">): ServiceRequest {
  const isComplete = order.institution_id === iid || findRights(order).reads === "all";
  const items = isComplete ? order.rx.items : [];
  const teeth = [...new Set(items.flatMap((item) => item.teeth))].toSorted((one, other) => one - other);
  const details = [
    ...order.rx.workKinds.map((kind) => toCodeableConcept(systems.workKind, kind)),
    ...items.map((item) => ({
      ...itemExtension(item),
      coding: [{ system: systems.itemKind, code: item.kind }],
      text: [item.kind, item.teeth.join(", "), item.material, item.shade].filter(Boolean).join("; "),
    })),
  ];
  const note = isComplete ? order.rx.instructions : null;
  return {
    resourceType: "ServiceRequest",
    id: order.id,
    meta: { versionId: String(order.version), lastUpdated: order.updated_at },
    ...containedPatient(order, iid),
    ...(isComplete && { extension: prescriptionExtensions(order) }),
    identifier: [
      ...orderIdentifiers(order),
      ...(isComplete && order.rx.sourceOrder ? [{ system: systems.sourceOrder, value: order.rx.sourceOrder }] : []),
    ],
    status: taskTable[order.state].request,
    intent: "order",
    category: [toCodeableConcept(systems.caseType, order.case_type)],
    priority: "routine",
    code: toCodeableConcept(systems.caseType, order.case_type),
    ...(details.length > 0 && { orderDetail: details }),
    subject: patientReference(order, iid),
    ...(order.due_date && { occurrenceDateTime: order.due_date }),
    authoredOn: order.created_at,
    requester: senderReference(order),
    ...(order.receiver_id && { performer: [receiverReference(order)] }),
    ...(teeth.length > 0 && { bodySite: teeth.map((tooth) => ({ coding: toothCodes(String(tooth)) })) }),
    ...(note && { note: [{ text: note }] }),
    ...(knowsRecord(order, iid) &&
      order.rx.studies.length > 0 && {
        supportingInfo: order.rx.studies.map((id) => serverLinks.refer<ImagingStudy>("ImagingStudy", id)),
      }),
  };
}

/** The parts of a prescription that R4 has no element for, with the kind of their values. */
export const prescriptionParts = {
  jaws: "valueCode",
  implantSystem: "valueString",
  fixType: "valueCode",
  torque: "valueInteger",
  gingiva: "valueCode",
  antagonist: "valueCode",
  schemeRequired: "valueBoolean",
  noDigitalFiles: "valueBoolean",
} as const;

function prescriptionExtensions({ rx }: NamedOrder): Extension[] {
  const parts = Object.entries(prescriptionParts).flatMap(([name, kind]) => {
    const value = rx[name as keyof typeof prescriptionParts];
    return [value].flat().flatMap((one) => (one === null || one === undefined ? [] : [{ url: name, [kind]: one }]));
  });
  return parts.length > 0 ? [{ url: prescriptionExtension, extension: parts }] : [];
}

/** The parts of an item for a program; its text is for people. */
function itemExtension(item: NamedOrder["rx"]["items"][number]): { extension?: Extension[] } {
  const parts: Extension[] = [
    ...item.teeth.map((tooth) => ({ url: "tooth", valueCode: String(tooth) })),
    ...(item.pontics ?? []).map((tooth) => ({ url: "pontic", valueCode: String(tooth) })),
    ...(["material", "shade", "stumpShade"] as const).flatMap((name) => {
      const value = item[name];
      return value ? [{ url: name, valueCode: value }] : [];
    }),
    ...(item.remark ? [{ url: "remark", valueString: item.remark }] : []),
  ];
  return parts.length > 0 ? { extension: [{ url: orderItemExtension, extension: parts }] } : {};
}

const toothCodes = (code: string): Coding[] => [
  { system: systems.tooth, code },
  { system: systems.exampleTooth, code },
];
const orderIdentifiers = (order: NamedOrder): Identifier[] => [{ system: systems.orderNumber, value: order.number }];

/**
 * The sender knows the patient's record. For the receiver the order contains what it may know of the patient, perhaps
 * with a masked name.
 */
const knowsRecord = (order: NamedOrder, iid: string): boolean =>
  order.institution_id === iid && order.patient_id !== null;
const containedPatient = (order: NamedOrder, iid: string): { contained?: Patient[] } =>
  knowsRecord(order, iid) ? {} : { contained: [toPatient(order)] };
function patientReference(order: NamedOrder, iid: string): Reference<Patient> {
  if (!knowsRecord(order, iid)) return { reference: "#patient" };
  return {
    ...serverLinks.refer<Patient>("Patient", order.patient_id ?? "", order.shown_name),
    ...(order.shown_number !== "" && { identifier: { system: systems.patientNumber, value: order.shown_number } }),
  };
}

function toPatient({ shown_name: name, shown_number: number }: NamedOrder): Patient {
  return {
    resourceType: "Patient",
    id: "patient",
    ...(number !== "" && { identifier: [{ system: systems.patientNumber, value: number }] }),
    ...(name !== "" && { name: [{ text: name }] }),
  };
}

const organizationReference = (id: string, display: string): Reference<Organization> =>
  serverLinks.refer<Organization>("Organization", id, display);
const senderReference = (order: NamedOrder): Reference<Organization> =>
  organizationReference(order.institution_id, order.sender_name);
const receiverReference = (order: NamedOrder): Reference<Organization> =>
  organizationReference(order.receiver_id ?? "", order.receiver_name ?? "");
