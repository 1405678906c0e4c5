import { sql } from "kysely";
import { caseRoles } from "@arcada/contract/kernel/roles";
import type { Organization } from "@medplum/fhirtypes";
import { systems, toCodeableConcept } from "../../domain/fhir/fhir-datatypes.ts";
import type { TableDefinition } from "../resource-definition.ts";
import { idParameter, textParameter, tokenParameter } from "../search/search-parameters.ts";

/** The reader's own institution, those that it works with, and the other side of one of its orders. */
export const organizationDefinition: TableDefinition = {
  kind: "table",
  type: "Organization",
  description: "The reader's organisation, its partners, and the other sides of its orders",
  access: { roles: caseRoles, scopes: ["orders.read", "organisation.read"] },
  from: sql`institution r`,
  visible: ({ iid }) => sql`(r.id = ${iid}
    or exists (select from relation t where t.state in ('established', 'closing')
      and ((t.institution_id = ${iid} and t.target_id = r.id) or (t.target_id = ${iid} and t.institution_id = r.id)))
    or exists (select from orders o where (o.institution_id = ${iid} and o.receiver_id = r.id)
      or (o.institution_id = r.id and o.receiver_id = ${iid} and o.handed_over_at is not null)))`,
  // The own one, and those to which the patient's orders went.
  ofPatient: (patientId, { iid }) => sql`(r.id = ${iid} or exists (select from orders o
    where o.institution_id = ${iid} and o.receiver_id = r.id and o.patient_id = ${patientId}))`,
  parameters: {
    _id: idParameter(sql`r.id`),
    identifier: tokenParameter("The organisation's number", [
      { system: systems.organisationNumber, column: sql`r.number` },
    ]),
    name: textParameter("The beginning of the name", sql`r.name`),
    type: tokenParameter(`clinic or lab (${systems.organisationType})`, [
      { system: systems.organisationType, column: sql`r.type` },
    ]),
  },
  sorts: { name: { column: sql`r.name`, type: "text" } },
  usualSort: "name",
  includes: {},
  isVersioned: false,
  load: async ({ db }, ids) => {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom("institution")
      .select(["id", "name", "number", "type", "country"])
      .where("id", "in", [...ids])
      .execute();
    return rows.map(({ id, name, number, type, country }): Organization => ({
      resourceType: "Organization",
      id,
      identifier: [{ system: systems.organisationNumber, value: number }],
      active: true,
      type: [toCodeableConcept(systems.organisationType, type)],
      name,
      ...(country && { address: [{ country }] }),
    }));
  },
};
