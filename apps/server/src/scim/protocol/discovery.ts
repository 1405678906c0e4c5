import { scimRules } from "@arcada/contract/scim/scim.rules";
import { groupAttributes, schemaUris, userAttributes } from "./attributes.ts";
import type { Attribute, Document } from "./attributes.ts";

const core = "urn:ietf:params:scim:schemas:core:2.0";

/** Describes the features of this service (RFC 7643, 5). */
export const serviceProviderConfig = (base: string): Document => ({
  schemas: [`${core}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: scimRules.maxPageSize },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "Bearer token",
      description: "A key of the organisation with the scope members.provision, as Authorization: Bearer.",
      primary: true,
    },
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
});

const resourceType = (
  base: string,
  name: "User" | "Group",
  schema: string,
  extensions: readonly string[],
): Document => ({
  schemas: [`${core}:ResourceType`],
  id: name,
  name,
  endpoint: `/${name}s`,
  schema,
  schemaExtensions: extensions.map((extension) => ({ schema: extension, required: false })),
  meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${name}` },
});
export const resourceTypes = (base: string): Document[] => [
  resourceType(base, "User", schemaUris.user, [schemaUris.membership]),
  resourceType(base, "Group", schemaUris.group, []),
];

const membershipAttributes: readonly Attribute[] = [
  {
    name: "state",
    type: "string",
    readOnly: true,
    description: "member; invited: the person has an account of their own and has not accepted yet; none.",
  },
];
const schema = (base: string, name: string, id: string, attributes: readonly Attribute[]): Document => ({
  schemas: [`${core}:Schema`],
  id,
  name,
  description: name,
  attributes: attributes.map(describeAttribute),
  meta: { resourceType: "Schema", location: `${base}/Schemas/${id}` },
});
export const schemas = (base: string): Document[] => [
  schema(base, "User", schemaUris.user, userAttributes),
  schema(base, "Group", schemaUris.group, groupAttributes),
  schema(base, "Membership", schemaUris.membership, membershipAttributes),
];

const describeAttribute = (attribute: Attribute): Document => ({
  name: attribute.name,
  type: attribute.type,
  multiValued: attribute.multiValued ?? false,
  description: attribute.description,
  required: attribute.required ?? false,
  mutability: attribute.readOnly ? "readOnly" : "readWrite",
  returned: "default",
  ...(attribute.type === "string" && { caseExact: attribute.name === "externalId" }),
  uniqueness: attribute.uniqueness ?? "none",
  ...(attribute.subAttributes && { subAttributes: attribute.subAttributes.map(describeAttribute) }),
});
