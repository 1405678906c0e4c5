import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, int32, version } from "../kernel/fields.ts";
import { managerRoles } from "../kernel/roles.ts";

/** A group of the identity provider. */
export const provisionedGroup = z.object({
  id,
  name: z.string(),
  members: z.int(),
  /** The role that its members get in the organisation; null: none. */
  authorityId: z.int().nullable(),
  version,
});
export type ProvisionedGroup = z.output<typeof provisionedGroup>;

export const scimCalls = {
  overview: call({
    method: "GET",
    path: "/v1/scim/overview",
    access: managerRoles,
    summary:
      "What an identity provider has provisioned by SCIM: the number of people, and the groups with their roles.",
    input: z.object({}),
    output: z.object({
      /** Members, invited people who have not answered, and all others that the identity provider sent. */
      users: z.object({ members: z.int(), invited: z.int(), others: z.int() }),
      groups: z.array(provisionedGroup),
    }),
  }),
  setGroupRole: call({
    method: "POST",
    path: "/v1/scim/setGroupRole",
    access: managerRoles,
    summary: "Gives the members of a provisioned group a role in the organisation, or takes back what it gave.",
    isIdempotent: true,
    audit: "scim.setGroupRole",
    input: z.object({ id, authorityId: int32.nullable(), version }),
    output: provisionedGroup,
  }),
} as const;
