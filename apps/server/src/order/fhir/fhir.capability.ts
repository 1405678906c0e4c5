import type { CapabilityStatement, CapabilityStatementRestResource, Extension } from "@medplum/fhirtypes";
import type { OAuthAddresses } from "../../domain/oauth-addresses.ts";
import { version } from "../../platform/runtime/version.ts";
import { searchParameters } from "./fhir.search.ts";

/** Describes the requests that this server supports (http://hl7.org/fhir/R4/capabilitystatement.html). */
export const capabilityStatement = (base: string, oauth: OAuthAddresses): CapabilityStatement => ({
  resourceType: "CapabilityStatement",
  status: "active",
  date: "2026-11-22",
  kind: "instance",
  software: { name: "Arcada", version },
  implementation: { description: "Orders between dental clinics and laboratories, for reading", url: base },
  fhirVersion: "4.0.1",
  format: ["application/fhir+json"],
  rest: [
    {
      mode: "server",
      security: {
        cors: true,
        service: [
          {
            coding: [
              { system: "http://terminology.hl7.org/CodeSystem/restful-security-service", code: "SMART-on-FHIR" },
            ],
          },
        ],
        description: "SMART App Launch, or Authorization: Bearer with an API key that has the scope orders.read.",
        extension: [oauthUris(oauth)],
      },
      resource: [
        resourceCapability("Task", ["read", "search-type"]),
        resourceCapability("ServiceRequest", ["read"]),
        resourceCapability("Organization", ["read"]),
      ],
    },
  ],
});

/** http://hl7.org/fhir/smart-app-launch/STU2.2/conformance.html#declaring-support-for-oauth2-endpoints */
const oauthUris = ({ authorize, token, revoke }: OAuthAddresses): Extension => ({
  url: "http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris",
  extension: Object.entries({ authorize, token, revoke }).map(([url, valueUri]) => ({ url, valueUri })),
});

const resourceCapability = (
  type: CapabilityStatementRestResource["type"],
  interactions: ("read" | "search-type")[],
): CapabilityStatementRestResource => ({
  type,
  interaction: interactions.map((code) => ({ code })),
  versioning: "versioned",
  readHistory: false,
  ...(interactions.includes("search-type") && {
    searchParam: Object.entries(searchParameters).map(([name, { type: kind, description }]) => ({
      name,
      type: kind,
      documentation: description,
    })),
  }),
});
