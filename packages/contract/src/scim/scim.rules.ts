/** Limits of provisioning by SCIM 2.0. */
export const scimRules = {
  root: "/scim/v2",
  bodyBytes: 1024 * 1024,
  /** Characters of a filter or of a path. */
  filterLength: 500,
  /** Conditions of a filter, joined by `and`. */
  filterTerms: 3,
  pageSize: 100,
  maxPageSize: 200,
  /** Operations of one PATCH. */
  maxOperations: 1000,
  maxEmails: 5,
  /** Users and groups of an organisation, and users of one group. */
  maxUsers: 10_000,
  maxGroups: 200,
  maxGroupMembers: 5000,
  textLength: 200,
} as const;
