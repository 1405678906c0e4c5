import { describe, expect, it } from "vitest";
import { listFhirErrors } from "./validate-fhir.ts";

const patient = { resourceType: "Patient", id: "p1", gender: "female", name: [{ text: "Ada" }] };

describe("the check against the official schema of FHIR", () => {
  it("accepts a valid resource, alone, contained and in a bundle", () => {
    const task = {
      resourceType: "Task",
      status: "requested",
      intent: "order",
      contained: [patient],
      for: { reference: "#p1" },
    };
    expect(listFhirErrors(patient)).toEqual([]);
    expect(listFhirErrors({ resourceType: "Bundle", type: "searchset", entry: [{ resource: task }] })).toEqual([]);
  });

  it.each([
    ["an element that R4 does not have", { ...patient, nickname: "A" }],
    ["a code outside a closed list", { ...patient, gender: "feminine" }],
    ["a value instead of a list", { ...patient, name: { text: "Ada" } }],
    ["a day that is none", { ...patient, birthDate: "1815" + "-12-10T" }],
    ["an id with a sign that ids do not have", { ...patient, id: "p_1" }],
    ["an empty list", { ...patient, contained: [] }],
    ["a resource without an element that R4 demands", { resourceType: "Task", status: "draft" }],
    ["an empty text", { ...patient, name: [{ text: "" }] }],
    [
      "a wrong resource within a bundle",
      { resourceType: "Bundle", type: "searchset", entry: [{ resource: { ...patient, gender: 1 } }] },
    ],
    [
      "a wrong contained resource",
      { resourceType: "Task", status: "draft", intent: "order", contained: [{ ...patient, photo: 1 }] },
    ],
    ["a bundle of an unknown kind", { resourceType: "Bundle", type: "basket" }],
  ])("reports %s", (_, resource) => {
    expect(listFhirErrors(resource)).not.toEqual([]);
  });
});
