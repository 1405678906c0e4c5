import type { Input } from "@arcada/contract/kernel/call";
import type { operatorCalls } from "@arcada/contract/operator/operator.calls";
import type { Search } from "../kernel/link.tsx";
import { currentZone } from "../kernel/zone.ts";

export type AuditFilter = Omit<Input<typeof operatorCalls.audit>, "cursor" | "pageSize">;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const day = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the filter from the address. Unknown values are ignored. */
export const auditFilterOf = ({ organisation, person, action, subject, from, to }: Search): AuditFilter => ({
  ...(organisation && (organisation === "none" || uuid.test(organisation)) && { organisation }),
  ...(person && uuid.test(person) && { person }),
  ...(action && /^[a-zA-Z]{1,40}(\.[a-zA-Z]{1,40})?$/.test(action) && { action }),
  ...(subject && subject.length <= 80 && { subject }),
  ...(from && day.test(from) && { from }),
  ...(to && day.test(to) && { to }),
  timeZone: currentZone(),
});
