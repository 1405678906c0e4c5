import type { CapabilityStatement, CapabilityStatementRestResource, Extension } from "@medplum/fhirtypes";
import type { OAuthAddresses } from "../domain/oauth-addresses.ts";
import { hl7Terminology } from "../domain/fhir/fhir-datatypes.ts";
import { version } from "../platform/runtime/version.ts";
import type { ResourceDefinition } from "./resource-definition.ts";
import { resourceDefinitions } from "./resources/resource-definitions.ts";

/**
 * Describes the requests that this server supports (http://hl7.org/fhir/R4/capabilitystatement.html), from the rows from
 * which the routes are made.
 */
export const capabilityStatement = (base: string, oauth: OAuthAddresses): CapabilityStatement => ({
  resourceType: "CapabilityStatement",
  status: "active",
  date: "2026-11-29",
  kind: "instance",
  software: { name: "Arcada", version },
  implementation: { description: "Patients, images, findings and orders of dental clinics and labs", url: base },
  fhirVersion: "4.0.1",
  format: ["application/fhir+json"],
  rest: [
    {
      mode: "server",
      security: {
        cors: true,
        extension: [describeOAuth(oauth)],
        service: [
          { coding: [{ system: `${hl7Terminology}/restful-security-service`, code: "SMART-on-FHIR" }] },
          { coding: [{ system: `${hl7Terminology}/restful-security-service`, code: "OAuth" }], text: "Bearer" },
        ],
        description:
          "Authorization: Bearer with the token of an app by SMART App Launch, or with an API key; each resource names the scopes that a key needs.",
      },
      resource: resourceDefinitions.map(describeResource),
      operation: [{ name: "export", definition: "http://hl7.org/fhir/uv/bulkdata/OperationDefinition/export" }],
    },
  ],
});

/** http://hl7.org/fhir/smart-app-launch/STU2.2/conformance.html#declaring-support-for-oauth2-endpoints */
const describeOAuth = ({ authorize, token, revoke }: OAuthAddresses): Extension => ({
  url: "http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris",
  extension: Object.entries({ authorize, token, revoke }).map(([url, valueUri]) => ({ url, valueUri })),
});

function describeResource(definition: ResourceDefinition): CapabilityStatementRestResource {
  const { type, description, access, includes, isVersioned, parameters, write } = definition;
  const interactions = ["read", "search-type", ...(write?.interactions ?? [])] as const;
  const scopes = [`Reading needs the scope ${access.scopes.join(" or ")}.`];
  if (write) scopes.push(`Writing needs the scope ${write.access.scopes.join(" or ")}.`);
  return {
    type,
    documentation: [`${description}.`, ...scopes].join(" "),
    interaction: interactions.map((code) => ({ code })),
    versioning: write?.interactions.includes("update") ? "versioned-update" : isVersioned ? "versioned" : "no-version",
    readHistory: false,
    updateCreate: false,
    conditionalCreate: Boolean(write?.conditionalCreate),
    conditionalUpdate: false,
    ...(Object.keys(includes).length > 0 && {
      searchInclude: Object.keys(includes).map((name) => `${type}:${name}`),
    }),
    searchParam: Object.entries(parameters).map(([name, parameter]) => ({
      name,
      type: parameter.type,
      documentation: parameter.description,
    })),
  };
}
