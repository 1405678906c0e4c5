import { isRoleOfType } from "@arcada/contract/member/member.lifecycle";
import { roles } from "@arcada/contract/kernel/roles";
import { scimCalls } from "@arcada/contract/scim/scim.calls";
import type { ProvisionedGroup } from "@arcada/contract/scim/scim.calls";
import { scimRules } from "@arcada/contract/scim/scim.rules";
import { lockInstitutionMembers } from "../domain/lock-members.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";
import type { MemberContext } from "../platform/http/request-context.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import type { Slice } from "../platform/runtime/slice.ts";
import { followGroupChange } from "./group/group-requests.ts";
import { findGroup, listGroups, updateGroupRole } from "./group/group.store.ts";
import type { GroupRow } from "./group/group.store.ts";
import { serveScim } from "./scim.routes.ts";
import { countUserStates } from "./user/user.store.ts";

const scimRoutes = routes(scimCalls, {
  overview: async (_, { db, principal }) => {
    const page = { startIndex: 1, count: scimRules.maxGroups, withMembers: false };
    const groups = await listGroups(db, principal.iid, [], page);
    return { users: await countUserStates(db, principal.iid), groups: groups.map(toProvisionedGroup) };
  },

  setGroupRole: async ({ id, authorityId, version }, context) => {
    const { db, principal } = context;
    const type = roles[principal.role].side === "lab" ? "lab" : "clinic";
    if (authorityId !== null && !isRoleOfType(authorityId, type))
      refuse("memberRoleUnfit", { authorityId: "memberRoleUnfit" });
    await lockInstitutionMembers(db, principal.iid);
    const group = (await findGroup(db, principal.iid, id, true)) ?? refuse("notFound");
    if (!(await updateGroupRole(db, { iid: principal.iid, id, version }, authorityId))) refuse("scimGroupChanged");
    context.detail = { authorityId };
    await followGroupChange(
      { ...toProvisioner(context), type, iid: principal.iid },
      group.members.map(({ value }) => value),
    );
    return toProvisionedGroup((await findGroup(db, principal.iid, id, false)) ?? refuse("notFound"));
  },
});

const toProvisioner = ({ db, principal, address }: MemberContext) => ({ db, principal, address });

const toProvisionedGroup = (row: GroupRow): ProvisionedGroup => ({
  ...pickColumns(row, "id", "authority_id", "version"),
  name: row.display_name,
  members: row.size,
});

export const scimSlice: Slice = {
  name: "scim",
  tables: ["scim_user", "scim_group", "scim_group_member"],
  reads: ["membership", "admission", "contact", "api_key", "users"],
  routes: scimRoutes,
  serve: serveScim,
};
