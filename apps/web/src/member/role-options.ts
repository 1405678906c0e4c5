import { roles } from "@arcada/contract/kernel/roles";
import type { Member } from "@arcada/contract/member/member.calls";
import { rolesByType, usualRole } from "@arcada/contract/member/member.lifecycle";
import type { Translate } from "../i18n/texts.ts";

/** The choice that is usual for a new member. */
export const usualRoleOption = (type: Member["institution"]["type"]): string =>
  String(roles[usualRole(type)].authorityId);

/** The roles of an organisation of this type, for a choice. */
export const listRoleOptions = (
  t: Translate,
  type: Member["institution"]["type"],
): { value: string; label: string }[] =>
  rolesByType[type].map((role) => ({ value: String(roles[role].authorityId), label: t(`common.role.${role}`) }));
