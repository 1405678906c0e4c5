import { parameters } from "./fhir.search.ts";

/** Describes the requests that this server supports (http://hl7.org/fhir/R4/capabilitystatement.html). */
export const capability = (base: string) => ({
  resourceType: "CapabilityStatement",
  status: "active",
  date: "2026-11-22",
  kind: "instance",
  software: { name: "Arcada" },
  implementation: { description: "Orders between dental clinics and laboratories, for reading", url: base },
  fhirVersion: "4.0.1",
  format: ["application/fhir+json"],
  rest: [
    {
      mode: "server",
      security: { cors: false, description: "Authorization: Bearer with an API key that has the scope orders.read." },
      resource: [
        resource("Task", ["read", "search-type"]),
        resource("ServiceRequest", ["read"]),
        resource("Organization", ["read"]),
      ],
    },
  ],
});

const resource = (type: string, interactions: string[]) => ({
  type,
  interaction: interactions.map((code) => ({ code })),
  versioning: "versioned",
  readHistory: false,
  ...(interactions.includes("search-type") && {
    searchParam: Object.entries(parameters).map(([name, { type: kind, says }]) => ({
      name,
      type: kind,
      documentation: says,
    })),
  }),
});
