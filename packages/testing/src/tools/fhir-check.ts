import { expect } from "vitest";

interface FhirBundle {
  resourceType: string;
  entry: { fullUrl: string; resource: { resourceType: string; id: string; [element: string]: unknown } }[];
}

/** Checks a bundle against the requirements of FHIR R4, as far as possible without its validator. */
export function checkFhirBundle(bundle: FhirBundle): void {
  expect(bundle).toMatchObject({ resourceType: "Bundle", type: "collection" });
  const urls = new Set(bundle.entry.map(({ fullUrl }) => fullUrl));
  expect(urls.size).toBe(bundle.entry.length);
  for (const { fullUrl, resource } of bundle.entry) {
    const { fields, status } = requiredFields[resource.resourceType] ?? { fields: [] };
    expect(fullUrl).toBe(`urn:uuid:${resource.id}`);
    expect(resource.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    for (const field of fields) expect(resource[field], `${resource.resourceType}.${field}`).toBeTruthy();
    if (status) expect(status).toContain(resource.status);
  }
  for (const [, reference] of JSON.stringify(bundle).matchAll(/"reference":"([^"]+)"/g))
    expect(urls).toContain(reference);
  for (const { resource } of bundle.entry) checkValues(resource);
  const types = bundle.entry.map(({ resource }) => resource.resourceType);
  expect([...new Set(types)].toSorted()).toEqual(
    [
      "Composition",
      "Condition",
      "Consent",
      "DiagnosticReport",
      "Encounter",
      "ImagingStudy",
      "Observation",
      "Organization",
      "Patient",
      "Practitioner",
    ].toSorted(),
  );
  expect(JSON.stringify(bundle)).toContain("&lt;caries&gt; &amp; more");
}

/** Fields that HL7 FHIR R4 (4.0.1) demands of each resource, and the codes that it allows where it closes the list. */
const requiredFields: Record<string, { fields: string[]; status?: string[] }> = {
  Patient: { fields: [] },
  Organization: { fields: [] },
  Practitioner: { fields: [] },
  ImagingStudy: { fields: ["status", "subject"], status: ["registered", "available", "cancelled", "entered-in-error"] },
  Encounter: { fields: ["status", "class"], status: ["planned", "in-progress", "finished", "entered-in-error"] },
  Condition: { fields: ["subject"] },
  Composition: {
    fields: ["status", "type", "date", "author", "title"],
    status: ["preliminary", "final", "amended", "entered-in-error"],
  },
  Observation: { fields: ["status", "code"], status: ["preliminary", "final", "amended"] },
  DiagnosticReport: { fields: ["status", "code"], status: ["preliminary", "final", "amended", "entered-in-error"] },
  Consent: { fields: ["status", "scope", "category", "policyRule"], status: ["active", "inactive"] },
};

// FHIR R4, 2.24.0.1: a time of day has its zone; and 2.24.0.3: a code has a system, by an absolute address.
const dateTime = /^\d{4}(-\d\d(-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))?)?)?$/;
const dateFields = ["birthDate", "started", "date", "recordedDate", "effectiveDateTime", "issued", "dateTime", "start"];
/** Checks every value of these names at any depth. */
function checkValues(part: unknown): void {
  if (part === null || typeof part !== "object") return;
  for (const [name, value] of Object.entries(part)) {
    if (dateFields.includes(name)) expect(value, name).toMatch(dateTime);
    if (name === "coding")
      for (const { system, code } of value as { system: string; code: string }[]) {
        expect(system).toMatch(/^(https?:\/\/|urn:)/);
        expect(code).toMatch(/^\S+( \S+)*$/);
      }
    // R4, JSON: nothing is null and no list is empty.
    expect(value === null || (Array.isArray(value) && value.length === 0), `${name} is empty`).toBe(false);
    checkValues(value);
  }
  if ("resourceType" in part && part.resourceType === "Observation")
    expect(Object.keys(part).filter((name) => /^(value[A-Z]|dataAbsentReason)/.test(name))).toHaveLength(1);
}
