import type { Bundle, OperationOutcome } from "@medplum/fhirtypes";
import { beforeAll, describe, expect, it } from "vitest";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { askFhir, makeFhirKey } from "@arcada/testing/tools/fhir-requests";
import type { FhirRequestOptions } from "@arcada/testing/tools/fhir-requests";

let mine: TestSetup;
let key: string;
beforeAll(async () => {
  mine = await setup();
  key = await makeFhirKey(mine.clinic, [
    "patients.read",
    "patients.write",
    "orders.read",
    "orders.write",
    "records.read",
  ]);
  await createPatient(mine.clinic);
});
const ask = <T = OperationOutcome>(path: string, options: FhirRequestOptions = {}) =>
  askFhir<T>(mine.server, key, path, options);
const status = async (path: string, options: FhirRequestOptions = {}) => (await ask(path, options)).status;
const form = { "content-type": "application/x-www-form-urlencoded" };
const base = { resourceType: "Patient", name: [{ text: "X" }], gender: "other", birthDate: "2000-01-01" };

describe("a hostile FHIR request", () => {
  it.each([
    ["a thousand parameters", `Patient?${"name=a&".repeat(1000)}`],
    ["a thousand values", `Patient?_id=${"1,".repeat(1000)}`],
    ["a page that is no number", "Patient?_count=-1"],
    ["a forged cursor", "Patient?_cursor=WyJfbGFzdFVwZGF0ZWQiLGZhbHNlLCJ4Iiwi"],
    [
      "a cursor of another order",
      `Patient?_sort=name&_cursor=${Buffer.from('["_lastUpdated",false,"x","0"]').toString("base64url")}`,
    ],
    ["an unknown order", "Patient?_sort=haystack"],
    ["an unknown modifier", "Patient?name:missing=true"],
    ["a column as a modifier", "Patient?gender:not=male"],
    ["a date that is none", "Patient?birthdate=1990-13-45"],
    ["an inclusion of another type", "Task?_include=Patient:link"],
    ["a condition on other resources", "Task?owner.name=X"],
    ["a condition on what refers to it", "Patient?_has:Task:patient:status=draft"],
    ["a NUL", "Patient?name:exact=a%00b"],
  ])("is refused with %s", async (_, path) => {
    expect([await status(path), (await ask(path)).body.resourceType]).toEqual([400, "OperationOutcome"]);
  });

  it("finds nothing by names of prototypes, by wildcards and by SQL", async () => {
    for (const path of [
      "Patient?constructor=1&toString=2",
      "Patient?_id=%25",
      "Patient?identifier=%27%20or%201=1--",
      "Patient?address=%25",
      "Organization?name=%25",
    ]) {
      const { status: code, body } = await ask<Bundle>(path);
      expect([path, code]).toEqual([path, 200]);
      if (!path.includes("constructor")) expect([path, body.total]).toEqual([path, 0]);
      expect(body.link?.[0]?.url).not.toMatch(/constructor|toString/);
    }
    expect((await ask<Bundle>("Patient?__proto__=1&_count=1000")).body.link?.[0]?.url).not.toContain("proto");
    for (const id of ["__proto__", "constructor", "..%2f..%2fetc", "a".repeat(65), "%00"])
      expect([id, await status(`Patient/${id}`)]).toEqual([id, expect.toBeOneOf([400, 404])]);
    expect(await status("Constructor/1")).toBe(404);
    expect(await status("Patient/1", { method: "DELETE" })).toBe(404);
  });

  it("is refused with more values in all than a search compares with thousands of findings", async () => {
    const dates = `date=${Array.from({ length: 90 }, (_, day) => `19${day + 10}-01-01`).join(",")}`;
    const path = `Observation?patient=01a2259f-4354-7f15-a5ee-6ca36ccc9f2f&${dates}`;
    expect(await status(path)).toBe(200);
    expect(await status(`${path}&${dates}&${dates}`)).toBe(400);
  });

  it("answers empty parameters as if they were not there, and sizes beyond the limit with the limit", async () => {
    const { body } = await ask<Bundle>("Patient?name=&_count=999999");
    expect(body.total).toBeGreaterThan(0);
    expect(body.link?.[0]?.url).not.toContain("name");
  });

  it("is refused with a body that is no resource, too long, too deep or of another kind", async () => {
    const post = (body: object | string, headers: Record<string, string> = {}) =>
      status("Patient", { method: "POST", body, headers });
    expect(await post("{")).toBe(400);
    expect(await post("[]")).toBe(400);
    expect(await post("null")).toBe(400);
    expect(await post('{"__proto__":{"resourceType":"Patient"}}')).toBe(400);
    expect(await post({ ...base, resourceType: "Practitioner" })).toBe(400);
    expect(await post({ ...base, name: "X" })).toBe(400);
    expect(await post({ ...base, name: [{ text: { a: 1 } }] })).toBe(400);
    expect(await post({ ...base, name: [{ text: "a\u0000b" }] })).toBe(400);
    expect(await post({ ...base, name: Array.from({ length: 5000 }, () => ({ text: "X" })) })).toBe(400);
    expect(await post({ ...base, telecom: [{ system: "phone", value: "9".repeat(5000) }] })).toBe(400);
    expect(await post(`{"resourceType":"Patient","contained":${"[".repeat(50_000)}${"]".repeat(50_000)}}`)).toBe(400);
    expect(await post({ ...base, text: { div: "x".repeat(300_000) } })).toBe(413);
    expect(await post("<Patient/>", { "content-type": "application/fhir+xml" })).toBe(415);
    expect(await post("name=X", form)).toBe(400);
    expect(await status("Patient/_search", { method: "POST", body: `name=${"x".repeat(20_000)}`, headers: form })).toBe(
      413,
    );
    expect(await status("Patient?_format=xml")).toBe(406);
    expect(await status("Task/_search", { method: "POST", body: {} })).toBe(200);
  });

  it("is refused with a version that is none, and a condition that asks for everything", async () => {
    const { body } = await ask<{ id: string }>("Patient", { method: "POST", body: base });
    const put = (headers: Record<string, string>) =>
      status(`Patient/${body.id}`, { method: "PUT", body: { ...base, id: body.id }, headers });
    for (const version of ["*", "W/*", '"99999999999"', "-1", "1.5"])
      expect([version, await put({ "if-match": version })]).toEqual([version, 400]);
    expect(await put({ "if-match": '"7"' })).toBe(412);
    for (const condition of ["", "?", "name=", "_id=1", "name=a%00b", "x".repeat(2000)])
      expect([
        condition,
        await status("Patient", { method: "POST", body: base, headers: { "if-none-exist": condition } }),
      ]).toEqual([condition, 400]);
  });
});
