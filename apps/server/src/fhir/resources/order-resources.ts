import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { caseRoles } from "@arcada/contract/kernel/roles";
import { findTaskStatus, taskTable } from "@arcada/contract/order/fhir-task-status";
import { orderStates } from "@arcada/contract/order/order.lifecycle";
import { systems } from "../../domain/fhir/fhir-datatypes.ts";
import { readOrders } from "../../order/core/order.read.ts";
import type { FhirReader } from "../fhir-context.ts";
import type { TableDefinition } from "../resource-definition.ts";
import {
  codeParameter,
  dateParameter,
  idParameter,
  referenceParameter,
  tokenParameter,
} from "../search/search-parameters.ts";
import type { SearchParameter } from "../search/search-parameters.ts";
import { writeServiceRequest } from "../writes/write-service-request.ts";
import { writeTask } from "../writes/write-task.ts";
import { chainedPatientParameters } from "./patient.ts";
import { patientInclusion } from "./inclusions.ts";
import { toServiceRequest, toTask } from "./order-converters.ts";

/** Only the sender knows an order's patient by their record. */
const ownPatientParameter = (): SearchParameter => {
  const parameter = referenceParameter("The patient, for the sender of the order", "Patient", sql`r.patient_id`);
  return {
    ...parameter,
    where: (value, reader, modifier) =>
      sql`(r.institution_id = ${reader.iid} and ${parameter.where(value, reader, modifier)})`,
  };
};

const orderParameters = {
  _id: idParameter(sql`r.id`),
  _lastUpdated: dateParameter("The time of the last change", sql`r.updated_at`),
  identifier: tokenParameter("The order's number", [{ system: systems.orderNumber, column: sql`r.number` }]),
  requester: referenceParameter("The organisation that sent the order", "Organization", sql`r.institution_id`),
  patient: ownPatientParameter(),
  subject: ownPatientParameter(),
  ...chainedPatientParameters(sql`r.patient_id`),
} as const;

const orders = {
  kind: "table",
  access: { roles: caseRoles, scopes: ["orders.read"] },
  audit: { search: "order.list", read: "order.read" },
  from: sql`orders r`,
  visible: ({ iid }: FhirReader) =>
    sql`(r.institution_id = ${iid} or (r.receiver_id = ${iid} and r.handed_over_at is not null))`,
  // The orders of the own institution for the patient: the patients of others are theirs.
  ofPatient: (patientId: string, { iid }: FhirReader) =>
    sql`(r.institution_id = ${iid} and r.patient_id = ${patientId})`,
  sorts: {
    _lastUpdated: { column: sql`r.updated_at`, type: "instant" },
    "authored-on": { column: sql`r.created_at`, type: "instant" },
    authored: { column: sql`r.created_at`, type: "instant" },
  },
  usualSort: "-_lastUpdated",
  isVersioned: true,
} as const satisfies Partial<TableDefinition>;

export const taskDefinition: TableDefinition = {
  ...orders,
  type: "Task",
  description: "An order as work that one organisation asks another to do",
  parameters: {
    ...orderParameters,
    "authored-on": dateParameter("The time at which the order was written", sql`r.created_at`),
    status: codeParameter("States of Task", systems.taskStatus, taskStatusCondition),
    "business-status": tokenParameter(`States of the order (${systems.orderState})`, [
      { system: systems.orderState, column: sql`r.state` },
    ]),
    owner: referenceParameter("The organisation that the order was sent to", "Organization", sql`r.receiver_id`),
    focus: referenceParameter("The prescription", "ServiceRequest", sql`r.id`),
    "based-on": referenceParameter("The prescription", "ServiceRequest", sql`r.id`),
  },
  includes: {
    patient: patientInclusion((resource) => (resource.resourceType === "Task" ? resource.for : undefined)),
    subject: patientInclusion((resource) => (resource.resourceType === "Task" ? resource.for : undefined)),
    focus: { target: "ServiceRequest", idOf: ({ id }) => id ?? null },
  },
  load: async (context, ids) => (await readOrders(context.db, context.iid, ids)).map((order) => toTask(order, context)),
  write: writeTask,
};

export const serviceRequestDefinition: TableDefinition = {
  ...orders,
  type: "ServiceRequest",
  description: "The prescription of an order",
  parameters: {
    ...orderParameters,
    authored: dateParameter("The time at which the order was written", sql`r.created_at`),
    occurrence: dateParameter("The day on which the work is due", sql`r.due_date`, "day"),
    status: codeParameter("States of ServiceRequest", "http://hl7.org/fhir/request-status", requestStatusCondition),
    code: tokenParameter(`Types of order (${systems.caseType})`, [
      { system: systems.caseType, column: sql`r.case_type` },
    ]),
    performer: referenceParameter("The organisation that the order was sent to", "Organization", sql`r.receiver_id`),
  },
  includes: {
    patient: patientInclusion((resource) =>
      resource.resourceType === "ServiceRequest" ? resource.subject : undefined,
    ),
    subject: patientInclusion((resource) =>
      resource.resourceType === "ServiceRequest" ? resource.subject : undefined,
    ),
  },
  load: async (context, ids) =>
    (await readOrders(context.db, context.iid, ids)).map((order) => toServiceRequest(order, context)),
  write: writeServiceRequest,
};

interface Combination {
  state: (typeof orderStates)[number];
  turn: "sender" | "receiver" | "nobody";
  holder: "sender" | "receiver";
  isAsked: boolean;
}
const combinations: Combination[] = orderStates.flatMap((state) =>
  (["sender", "receiver", "nobody"] as const).flatMap((turn) =>
    (["sender", "receiver"] as const).flatMap((holder) =>
      [true, false].map((isAsked) => ({ state, turn, holder, isAsked })),
    ),
  ),
);
/** Inverts the contract's table: finds every combination of state, turn and holder that has this status. */
function taskStatusCondition(status: string): RawBuilder<unknown> | null {
  const matching = combinations.filter((one) => findTaskStatus(one) === status);
  if (matching.length === 0) return null;
  const rows = matching.map(
    ({ state, turn, holder, isAsked }) => sql`(${state}, ${turn}, ${holder}, ${isAsked}::boolean)`,
  );
  return sql`(r.state, r.turn, r.holder, r.info_request is not null) in (${sql.join(rows)})`;
}

function requestStatusCondition(status: string): RawBuilder<unknown> | null {
  const states = orderStates.filter((state) => taskTable[state].request === status);
  return states.length > 0 ? sql`r.state = any(${states}::text[])` : null;
}
