/** An attribute of a SCIM resource, as RFC 7643, 7 describes it. */
export interface Attribute {
  name: string;
  type: "string" | "boolean" | "complex";
  multiValued?: true;
  required?: true;
  readOnly?: true;
  uniqueness?: "server";
  description: string;
  subAttributes?: readonly Attribute[];
}
export type Document = Record<string, unknown>;

export const schemaUris = {
  user: "urn:ietf:params:scim:schemas:core:2.0:User",
  group: "urn:ietf:params:scim:schemas:core:2.0:Group",
  membership: "urn:arcada:params:scim:schemas:extension:2.0:Membership",
} as const;

const string = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: "string",
  description,
  ...more,
});

/** The attributes that Arcada keeps. Others are accepted and dropped: they would be personal data without a purpose. */
export const userAttributes: readonly Attribute[] = [
  string("userName", "The person's name at the identity provider.", { required: true, uniqueness: "server" }),
  string("externalId", "The person's identifier at the identity provider."),
  string("displayName", "The name that a new account shows."),
  {
    name: "name",
    type: "complex",
    description: "The parts of the person's name.",
    subAttributes: [
      string("formatted", "The whole name."),
      string("givenName", "The given name."),
      string("familyName", "The family name."),
    ],
  },
  {
    name: "emails",
    type: "complex",
    multiValued: true,
    description: "The primary address, else the first one, finds or founds the person's account.",
    subAttributes: [
      string("value", "The address."),
      string("type", "Its kind, such as work."),
      { name: "primary", type: "boolean", description: "Whether it is the primary address." },
    ],
  },
  { name: "active", type: "boolean", description: "Whether the person is to be a member of the organisation." },
];

export const groupAttributes: readonly Attribute[] = [
  string("displayName", "The group's name.", { required: true, uniqueness: "server" }),
  string("externalId", "The group's identifier at the identity provider."),
  {
    name: "members",
    type: "complex",
    multiValued: true,
    description: "The people in the group.",
    subAttributes: [
      string("value", "The id of the user."),
      string("display", "The user's userName.", { readOnly: true }),
      string("$ref", "The address of the user.", { readOnly: true }),
    ],
  },
];

/** Finds an attribute without regard to case (RFC 7643, 2.1). */
export const findAttribute = (attributes: readonly Attribute[], name: string): Attribute | undefined =>
  attributes.find((one) => one.name.toLowerCase() === name.toLowerCase());

export const isObject = (value: unknown): value is Document =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Returns a resource with the names of our attributes and without all others. The walk is as deep as the attributes
 * are, whatever depth the value has.
 */
export function toCanonical(value: unknown, attributes: readonly Attribute[]): Document {
  const canonical: Document = {};
  if (!isObject(value)) return canonical;
  for (const [name, given] of Object.entries(value)) {
    const attribute = findAttribute(attributes, name);
    if (attribute && !attribute.readOnly) canonical[attribute.name] = toCanonicalValue(given, attribute);
  }
  return canonical;
}

export function toCanonicalValue(value: unknown, attribute: Attribute): unknown {
  if (attribute.multiValued) {
    const list = Array.isArray(value) ? (value as unknown[]) : value === null ? [] : [value];
    return list.map((one) => toElement(one, attribute));
  }
  return toElement(value, attribute);
}

/** Does the same for one element of an attribute with several values. */
export function toElement(value: unknown, { type, multiValued, subAttributes = [] }: Attribute): unknown {
  if (type === "boolean") return toBoolean(value);
  if (type !== "complex") return value;
  // Some clients send the value alone in place of an object with it.
  if (multiValued && typeof value === "string") return { value };
  return isObject(value) ? toCanonical(value, subAttributes) : value;
}

/** Microsoft Entra sends "True" and "False" as text. */
function toBoolean(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const word = value.toLowerCase();
  return word === "true" ? true : word === "false" ? false : value;
}
