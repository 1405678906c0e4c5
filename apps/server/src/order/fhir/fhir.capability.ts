import type { CapabilityStatement, CapabilityStatementRestResource } from "@medplum/fhirtypes";
import { version } from "../../platform/runtime/version.ts";
import { searchParameters } from "./fhir.search.ts";

/** Describes the requests that this server supports (http://hl7.org/fhir/R4/capabilitystatement.html). */
export const capabilityStatement = (base: string): CapabilityStatement => ({
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
      security: { cors: false, description: "Authorization: Bearer with an API key that has the scope orders.read." },
      resource: [
        resourceCapability("Task", ["read", "search-type"]),
        resourceCapability("ServiceRequest", ["read"]),
        resourceCapability("Organization", ["read"]),
      ],
    },
  ],
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
