import { serviceRoles } from "../kernel/roles.ts";

/** Clinics find the packages that are published for their own devices. */
export const packageReaders = [...serviceRoles, "clinicAdmin"] as const;
