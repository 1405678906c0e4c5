import { sql } from "kysely";
import { caseRoles, findRole, roles } from "@arcada/contract/kernel/roles";
import type { Practitioner } from "@medplum/fhirtypes";
import type { TableDefinition } from "../resource-definition.ts";
import { codeParameter, idParameter, textParameter } from "../search/search-parameters.ts";

const isActive = sql`r.is_active`;

/** The people of the reader's own institution; those who left keep their names on what they wrote. */
export const practitionerDefinition: TableDefinition = {
  kind: "table",
  type: "Practitioner",
  description: "A person who works or worked in the reader's organisation",
  access: { roles: caseRoles, scopes: ["organisation.read"] },
  from: sql`(select u.id, coalesce(nullif(u.nick_name, ''), u.user_name) as name, m.institution_id,
      bool_or(m.state = 'normal') as is_active
    from membership m join users u on u.id = m.user_id group by u.id, u.nick_name, u.user_name, m.institution_id) r`,
  visible: ({ iid }) => sql`r.institution_id = ${iid}`,
  // The people of the organisation are no part of a record.
  ofPatient: () => sql`true`,
  parameters: {
    _id: idParameter(sql`r.id`),
    name: textParameter("The beginning of the name", sql`r.name`),
    active: codeParameter("true for those who work there now", "", (code) => {
      if (code === "true") return isActive;
      return code === "false" ? sql`not ${isActive}` : null;
    }),
  },
  sorts: { name: { column: sql`r.name`, type: "text" } },
  usualSort: "name",
  includes: {},
  isVersioned: false,
  load: async ({ db, iid }, ids) => {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom("membership as m")
      .innerJoin("users as u", "u.id", "m.user_id")
      .select(["u.id", "u.nick_name", "u.user_name", "m.state", "m.authority_id"])
      .where("m.institution_id", "=", iid)
      .where("m.user_id", "in", [...ids])
      .orderBy("m.joined_at", "desc")
      .execute();
    return ids.flatMap((id): Practitioner[] => {
      const own = rows.filter((row) => row.id === id);
      const newest = own.find(({ state }) => state === "normal") ?? own[0];
      if (!newest) return [];
      const { side } = roles[findRole(newest.authority_id)];
      return [
        {
          resourceType: "Practitioner",
          id,
          active: newest.state === "normal",
          name: [{ text: newest.nick_name || newest.user_name }],
          qualification: [{ code: { text: side === "lab" ? "Dental laboratory" : "Dental clinic" } }],
        },
      ];
    });
  },
};
