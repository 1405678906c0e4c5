import type { ReactNode } from "react";
import type { Call } from "@arcada/contract/kernel/call";
import { hasAccess } from "@arcada/contract/kernel/roles";
import type { Access } from "@arcada/contract/kernel/roles";
import { useRole } from "./current-user.ts";

/**
 * True if the signed-in role is admitted by a call or a screen. The `actions` of a single record say what it permits.
 */
export const useCanAccess = (to: { access: Access } | Call): boolean => hasAccess(to.access, useRole());

/** Shows its content to the roles that a call or a screen admits. */
export function PermissionGate({ to, children }: { to: { access: Access }; children: ReactNode }) {
  return useCanAccess(to) ? children : null;
}
