import type { Input } from "@arcada/contract/kernel/call";
import type { operatorCalls } from "@arcada/contract/operator/operator.calls";
import type { SearchParams } from "../browser/navigation.tsx";
import { getCurrentZone } from "../i18n/time-zone.ts";

export type AuditFilter = Omit<Input<typeof operatorCalls.audit>, "cursor" | "pageSize">;

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the filter from the address. Unknown values are ignored. */
export const parseAuditFilter = ({ organisation, person, action, subject, from, to }: SearchParams): AuditFilter => ({
  ...(organisation && (organisation === "none" || uuidPattern.test(organisation)) && { organisation }),
  ...(person && uuidPattern.test(person) && { person }),
  ...(action && /^[a-zA-Z]{1,40}(\.[a-zA-Z]{1,40})?$/.test(action) && { action }),
  ...(subject && subject.length <= 80 && { subject }),
  ...(from && dayPattern.test(from) && { from }),
  ...(to && dayPattern.test(to) && { to }),
  timeZone: getCurrentZone(),
});
