import type { KeyScope } from "../integrations/integrations.rules.ts";
import type { Endpoint, EndpointParameter } from "./endpoint.ts";

interface FhirResource {
  type: string;
  says: string;
  /** The scopes of a key, one of which is needed to read. */
  reads: readonly KeyScope[];
  /** The scope that is needed to write, and the interactions. */
  writes?: { scope: KeyScope; interactions: readonly ("create" | "update")[] };
}

/** The resources that the server has, with the right that each needs. A test compares them with the definitions of the server. */
export const fhirResources = [
  {
    type: "Patient",
    says: "patients",
    reads: ["patients.read"],
    writes: { scope: "patients.write", interactions: ["create", "update"] },
  },
  { type: "Practitioner", says: "people of the organisation", reads: ["organisation.read"] },
  {
    type: "Organization",
    says: "the organisation and those it works with",
    reads: ["orders.read", "organisation.read"],
  },
  { type: "ImagingStudy", says: "images and scans", reads: ["studies.read", "dicomweb.read"] },
  { type: "Encounter", says: "visits", reads: ["records.read"] },
  { type: "Condition", says: "suspected diseases and diagnoses", reads: ["records.read"] },
  { type: "Observation", says: "findings and measurements", reads: ["records.read"] },
  { type: "DiagnosticReport", says: "dental health reports", reads: ["records.read"] },
  { type: "DocumentReference", says: "documents", reads: ["records.read"] },
  {
    type: "ServiceRequest",
    says: "prescriptions of orders",
    reads: ["orders.read"],
    writes: { scope: "orders.write", interactions: ["create", "update"] },
  },
  {
    type: "Task",
    says: "orders as work",
    reads: ["orders.read"],
    writes: { scope: "orders.write", interactions: ["update"] },
  },
] as const satisfies readonly FhirResource[];

const id: EndpointParameter = {
  name: "id",
  in: "path",
  says: "The id of the resource.",
  example: "01a2259f-4354-7f15-a5ee-6ca36ccc9f2f",
  required: true,
};
const exportParameters: readonly EndpointParameter[] = [
  { name: "prefer", in: "header", says: "The request for an answer later.", example: "respond-async", required: true },
  { name: "_type", in: "query", says: "Types of resources with commas between.", example: "Patient,Observation" },
  {
    name: "_since",
    in: "query",
    says: "The instant from which on resources have changed.",
    example: "2026-11-29T00:00:00Z",
  },
  { name: "_outputFormat", in: "query", says: "The format, NDJSON alone.", example: "application/fhir+ndjson" },
];
const searchParameters: readonly EndpointParameter[] = [
  { name: "_count", in: "query", says: "The most matches on a page, 100 at most.", example: "20" },
  {
    name: "_id",
    in: "query",
    says: "Ids with commas between. The capability statement names all other parameters.",
    example: "01a2259f-4354-7f15-a5ee-6ca36ccc9f2f",
  },
];
const prefer: EndpointParameter = {
  name: "prefer",
  in: "header",
  says: "`handling=lenient` leaves out elements that are not supported, `return=minimal` the resource in the response.",
  example: "return=minimal",
};
const mediaType = "application/fhir+json";

function describeResource({ type, says, reads, writes }: FhirResource): Endpoint[] {
  const common = { tag: "fhir" as const, scopes: reads };
  const matches = { status: 200 as const, says: "A Bundle of matches.", mediaType };
  const read: Endpoint[] = [
    {
      ...common,
      method: "get",
      path: `/fhir/${type}`,
      id: `fhir.search${type}`,
      summary: `Searches ${says}`,
      parameters: searchParameters,
      success: matches,
    },
    {
      ...common,
      method: "post",
      path: `/fhir/${type}/_search`,
      id: `fhir.searchByForm${type}`,
      summary: `Searches ${says} by a form, so that no value stands in an address`,
      parameters: [],
      sends: "application/x-www-form-urlencoded",
      success: matches,
    },
    {
      ...common,
      method: "get",
      path: `/fhir/${type}/{id}`,
      id: `fhir.read${type}`,
      summary: `Reads one of the ${says}`,
      parameters: [id],
      success: { status: 200, says: "The resource.", mediaType },
    },
  ];
  return [...read, ...(writes ? describeWrites(type, says, writes) : [])];
}

function describeWrites(type: string, says: string, { scope, interactions }: NonNullable<FhirResource["writes"]>) {
  const create: Endpoint = {
    method: "post",
    path: `/fhir/${type}`,
    id: `fhir.create${type}`,
    tag: "fhir",
    summary: `Creates one of the ${says}`,
    scopes: [scope],
    parameters: [
      prefer,
      {
        name: "if-none-exist",
        in: "header",
        says: "Patients alone: a search; nothing is created where it finds somebody.",
        example: "identifier=urn:arcada:entry-number|4711",
      },
    ],
    sends: mediaType,
    success: { status: 201, says: "The resource; `location` and `etag` name its version.", mediaType },
  };
  const update: Endpoint = {
    method: "put",
    path: `/fhir/${type}/{id}`,
    id: `fhir.update${type}`,
    tag: "fhir",
    summary: `Changes one of the ${says}`,
    scopes: [scope],
    parameters: [
      id,
      prefer,
      {
        name: "if-match",
        in: "header",
        says: "The version that was read. Without it, that of the resource is taken.",
        example: 'W/"3"',
      },
    ],
    sends: mediaType,
    success: { status: 200, says: "The changed resource.", mediaType },
  };
  return [...(interactions.includes("create") ? [create] : []), update];
}

export const fhirEndpoints: readonly Endpoint[] = [
  {
    method: "get",
    path: "/fhir/metadata",
    id: "fhir.capabilities",
    tag: "fhir",
    summary: "Describes the supported requests (CapabilityStatement)",
    scopes: null,
    parameters: [],
    success: { status: 200, says: "The CapabilityStatement.", mediaType },
  },
  {
    method: "get",
    path: "/fhir/.well-known/smart-configuration",
    id: "fhir.smartConfiguration",
    tag: "fhir",
    summary: "Describes the authorization of apps (SMART App Launch)",
    scopes: null,
    parameters: [],
    success: { status: 200, says: "The addresses and capabilities.", mediaType: "application/json" },
  },
  {
    method: "post",
    path: "/oauth/token",
    id: "fhir.token",
    tag: "fhir",
    summary: "Gives an app tokens for a code, a refresh token or the assertion of a backend service (RFC 6749)",
    scopes: null,
    parameters: [],
    sends: "application/x-www-form-urlencoded",
    success: { status: 200, says: "The tokens.", mediaType: "application/json" },
  },
  {
    method: "post",
    path: "/oauth/revoke",
    id: "fhir.revokeToken",
    tag: "fhir",
    summary: "Ends what a person allowed an app, by one of its tokens (RFC 7009)",
    scopes: null,
    parameters: [],
    sends: "application/x-www-form-urlencoded",
    success: { status: 200, says: "Nothing." },
  },
  ...fhirResources.flatMap(describeResource),
  {
    method: "get",
    path: "/fhir/Binary/{id}",
    id: "fhir.readBinary",
    tag: "fhir",
    summary: "Fetches the bytes of a document",
    scopes: ["records.read"],
    parameters: [id],
    success: { status: 200, says: "The bytes.", mediaType: "application/octet-stream" },
  },
  ...["/fhir/$export", "/fhir/Patient/$export"].map((path): Endpoint => ({
    method: "get",
    path,
    id: path === "/fhir/$export" ? "fhir.export" : "fhir.exportPatients",
    tag: "fhir",
    summary:
      path === "/fhir/$export" ? "Exports the organisation's data as NDJSON" : "Exports the patients' data as NDJSON",
    scopes: ["organisation.export"],
    parameters: exportParameters,
    success: { status: 202, says: "The export has begun; Content-Location is the address of its state." },
  })),
  {
    method: "get",
    path: "/fhir/bulk-export/{id}",
    id: "fhir.exportState",
    tag: "fhir",
    summary: "Tells how far an export is, and the addresses of its files",
    scopes: ["organisation.export"],
    parameters: [id],
    success: { status: 200, says: "The manifest; 202 while the export runs.", mediaType: "application/json" },
  },
  {
    method: "delete",
    path: "/fhir/bulk-export/{id}",
    id: "fhir.cancelExport",
    tag: "fhir",
    summary: "Cancels an export, or deletes its files",
    scopes: ["organisation.export"],
    parameters: [id],
    success: { status: 202, says: "It is cancelled." },
  },
  {
    method: "get",
    path: "/fhir/bulk-export/{id}/{place}",
    id: "fhir.exportFile",
    tag: "fhir",
    summary: "Fetches a file of an export",
    scopes: ["organisation.export"],
    parameters: [
      id,
      { name: "place", in: "path", says: "The number of the file.", example: "1.ndjson", required: true },
    ],
    success: { status: 200, says: "One resource on each line.", mediaType: "application/fhir+ndjson" },
  },
];
