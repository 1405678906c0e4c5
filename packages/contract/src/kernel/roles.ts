/** The roles of the product, with the number that the wire calls authorityId. */
export const roles = {
  clinicAdmin: { authorityId: 222, side: "clinic" },
  clinicMember: { authorityId: 233, side: "clinic" },
  clinicAssistant: { authorityId: 234, side: "clinic" },
  factoryAdmin: { authorityId: 666, side: "lab" },
  factoryMember: { authorityId: 667, side: "lab" },
  afterSalesAdmin: { authorityId: 700, side: "none" },
  afterSalesMember: { authorityId: 701, side: "none" },
  operator: { authorityId: 9527, side: "none" },
  newUser: { authorityId: 0, side: "none" },
} as const satisfies Record<string, { authorityId: number; side: "clinic" | "lab" | "none" }>;

export type Role = keyof typeof roles;
export const roleNames = Object.keys(roles) as Role[];

export const findRole = (authorityId: number): Role =>
  roleNames.find((name) => roles[name].authorityId === authorityId) ?? "newUser";

/** Roles that answer for a treatment: they sign reports, accept suggestions of engines, and send and approve orders. */
export const dentistRoles = ["clinicAdmin", "clinicMember"] as const satisfies readonly Role[];
export const clinicRoles = [...dentistRoles, "clinicAssistant"] as const satisfies readonly Role[];
export const labRoles = ["factoryAdmin", "factoryMember"] as const satisfies readonly Role[];
export const caseRoles = [...clinicRoles, ...labRoles] as const;
export const managerRoles = ["clinicAdmin", "factoryAdmin"] as const satisfies readonly Role[];
export const afterSalesRoles = ["afterSalesAdmin", "afterSalesMember"] as const satisfies readonly Role[];
/** Roles that work for the platform itself, outside every institution. */
export const serviceRoles = [...afterSalesRoles, "operator"] as const;

/** "anyone" needs no session, "signedIn" any session, "share" the visit that a link began, "device" a device's key; a list names the roles that may. */
export type Access = "anyone" | "signedIn" | "share" | "device" | readonly Role[];

export const hasAccess = (access: Access, role: Role | undefined): boolean => {
  if (access === "anyone") return true;
  if (role === undefined || access === "share" || access === "device") return false;
  return access === "signedIn" || access.includes(role);
};
