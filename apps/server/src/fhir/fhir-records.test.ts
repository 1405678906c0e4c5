import type {
  Bundle,
  Condition,
  DiagnosticReport,
  DocumentReference,
  Encounter,
  ImagingStudy,
  Observation,
  OperationOutcome,
  Patient,
  Practitioner,
} from "@medplum/fhirtypes";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { searchRules } from "./search/search-parameters.ts";
import { canary, createDocumentedPatient, seedExamination } from "@arcada/testing/fixtures/patient-with-all-records";
import type { DocumentedPatient } from "@arcada/testing/fixtures/patient-with-all-records";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { present } from "@arcada/testing/require-present";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { askFhir, makeFhirKey } from "@arcada/testing/tools/fhir-requests";

let mine: TestSetup;
let patient: DocumentedPatient;
let key: string;
beforeAll(async () => {
  mine = await setup();
  patient = await createDocumentedPatient(mine);
  await seedExamination(mine.dentist, patient.id);
  key = await makeFhirKey(mine.clinic, ["patients.read", "records.read", "studies.read", "organisation.read"]);
});

const search = async <T>(path: string) => {
  const { status, body } = await askFhir<Bundle>(mine.server, key, path);
  expect([path, status]).toEqual([path, 200]);
  return (body.entry ?? []).map(({ resource }) => resource as T);
};
const count = async (path: string) => (await search(path)).length;

describe("a patient in FHIR", () => {
  it("is read with version, identifiers, telecom and organisation", async () => {
    const { status, body, etag } = await askFhir<Patient>(mine.server, key, `Patient/${patient.id}`);
    expect([status, etag]).toEqual([200, `W/"${body.meta?.versionId}"`]);
    expect(body).toMatchObject({
      id: patient.id,
      identifier: [
        { system: "urn:arcada:patient-number", value: patient.number },
        { system: "urn:arcada:identity-number", value: canary },
      ],
      name: [{ text: `${canary} One` }],
      gender: "female",
      birthDate: "1991-05-06",
      telecom: [
        { system: "phone", use: "mobile" },
        { system: "email", value: "a@b.test" },
      ],
      managingOrganization: { reference: `Organization/${mine.clinic.iid}` },
    });
  });

  it("is found by each parameter, and by none that differs", async () => {
    await createPatient(mine.clinic, { name: "Somebody Else", birthDate: "1980-01-01" });
    const found: [string, number][] = [
      [`Patient?_id=${patient.id}`, 1],
      [`Patient?identifier=urn:arcada:patient-number%7C${patient.number}`, 1],
      [`Patient?identifier=${patient.number}`, 1],
      [`Patient?identifier=urn:other%7C${patient.number}`, 0],
      [`Patient?name=${canary.toLowerCase()}`, 1],
      [`Patient?family=${canary}&gender=female&birthdate=1991-05-06`, 1],
      [`Patient?family=${canary}&gender=male`, 0],
      [`Patient?family=${canary}&birthdate=ge1992`, 0],
      [`Patient?name:exact=${canary}`, 0],
      [`Patient?name:exact=${canary}%20One`, 1],
      [`Patient?birthdate=1991,1980&_count=100`, 2],
      [`Patient?email=a@b.test`, 1],
      [`Patient?_lastUpdated=gt2020&_lastUpdated=lt2021`, 0],
    ];
    for (const [path, matches] of found) expect([path, await count(path)]).toEqual([path, matches]);
    const { body } = await askFhir<Bundle>(mine.server, key, "Patient?_summary=count");
    expect(body).toMatchObject({ type: "searchset", total: 2 });
    expect(body.entry).toBeUndefined();
  });

  it("is counted up to a limit unless the client asks for all", async () => {
    const { maxUnaskedTotal } = searchRules;
    Object.assign(searchRules, { maxUnaskedTotal: 1 });
    onTestFinished(() => void Object.assign(searchRules, { maxUnaskedTotal }));
    const totalOf = async (query: string) => (await askFhir<Bundle>(mine.server, key, `Patient?${query}`)).body.total;
    expect(await totalOf(`name=${canary}&gender=female`)).toBe(1);
    expect(await totalOf("")).toBeUndefined();
    expect([await totalOf("_total=accurate"), await totalOf("_summary=count")]).toEqual([2, 2]);
  });

  it("is listed page after page in each order, and by a form", async () => {
    for (const sort of ["name", "-name", "birthdate", "_lastUpdated", "-_lastUpdated"]) {
      const first = await askFhir<Bundle>(mine.server, key, `Patient?_count=1&_sort=${sort}`);
      const next = present(first.body.link?.find(({ relation }) => relation === "next")?.url, "next");
      const second = await askFhir<Bundle>(mine.server, key, next);
      const ids = [first, second].map(({ body }) => body.entry?.[0]?.resource?.id);
      expect(new Set(ids).size, sort).toBe(2);
      expect(second.body.link?.some(({ relation }) => relation === "next")).toBe(false);
    }
    const { body } = await askFhir<Bundle>(mine.server, key, "Patient/_search", {
      method: "POST",
      body: `name=${canary}&gender=female`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(body.total).toBe(1);
  });
});

describe("the record of a patient in FHIR", () => {
  it("has images with the address of DICOMweb, and includes the patient on request", async () => {
    const [study] = await search<ImagingStudy>(`ImagingStudy?patient=${patient.id}&status=available`);
    expect(study).toMatchObject({ id: patient.study, subject: { reference: `Patient/${patient.id}` } });
    expect(await count(`ImagingStudy?subject=Patient/${patient.id}&modality=CT`)).toBe(0);
    const { body } = await askFhir<Bundle>(
      mine.server,
      key,
      `ImagingStudy?patient=${patient.id}&_include=ImagingStudy:patient`,
    );
    expect(body.entry?.map((entry) => [entry.resource?.resourceType, entry.search?.mode])).toEqual([
      ["ImagingStudy", "match"],
      ["Patient", "include"],
    ]);
    expect(await count(`ImagingStudy?patient.identifier=urn:arcada:patient-number%7C${patient.number}`)).toBe(1);
    expect(await count("ImagingStudy?patient.name:exact=Nobody")).toBe(0);
    const onlyImages = await makeFhirKey(mine.clinic, ["studies.read"]);
    const refused = await askFhir(mine.server, onlyImages, "ImagingStudy?_include=ImagingStudy:patient");
    expect(refused.status).toBe(403);
    expect((await askFhir(mine.server, onlyImages, `ImagingStudy?patient.name=${canary}`)).status).toBe(403);
    expect((await askFhir(mine.server, mine.lab, `Task?patient.name=${canary}`)).status).toBe(403);
  });

  it("has visits, their diagnoses, the findings of the chart and the report with its status", async () => {
    const [visit] = await search<Encounter>(`Encounter?patient=${patient.id}&date=2026-02-03`);
    expect(visit).toMatchObject({ status: "finished", reasonCode: [{ text: canary }] });
    const conditions = await search<Condition>(`Condition?patient=${patient.id}`);
    expect(conditions.map(({ code }) => String(code?.text ?? code?.coding?.[0]?.code)).toSorted()).toEqual([
      `${canary} <caries> & more`,
      "caries",
    ]);
    for (const { id, subject } of conditions) {
      const { status, body } = await askFhir<Condition>(mine.server, key, `Condition/${id}`);
      expect([status, body.id, body.subject]).toEqual([200, id, subject]);
    }
    const observations = await search<Observation>(`Observation?patient=Patient/${patient.id}&status=final`);
    expect(observations.map(({ code }) => String(code.coding?.[0]?.code)).toSorted()).toEqual(["filling", "presence"]);
    const [filling] = await search<Observation>(`Observation?subject=${patient.id}&code=urn:arcada:finding%7Cfilling`);
    expect(filling).toMatchObject({ bodySite: { coding: [{ system: "urn:iso:std:iso:3950", code: "16" }] } });
    expect((await askFhir(mine.server, key, `Observation/${filling?.id}`)).status).toBe(200);
    const [report] = await search<DiagnosticReport>(`DiagnosticReport?patient=${patient.id}&status=preliminary`);
    expect(report).toMatchObject({ conclusion: "Caries of 16" });
  });

  it("has documents, whose bytes the same key fetches", async () => {
    const documents = await search<DocumentReference>(`DocumentReference?patient=${patient.id}`);
    const letter = present(
      documents.find(({ type }) => type?.coding?.[0]?.code === "visit"),
      "letter",
    );
    const { url, contentType } = present(letter.content[0]?.attachment, "attachment");
    expect([contentType, (await askFhir(mine.server, key, `DocumentReference/${letter.id}`)).status]).toEqual([
      "application/pdf",
      200,
    ]);
    const fetchBytes = (secret: string) => fetch(present(url), { headers: { authorization: `Bearer ${secret}` } });
    const response = await fetchBytes(key);
    expect(await response.text()).toBe("%PDF-1.4 letter");
    expect(response.headers.get("content-disposition")).toContain("attachment");
    expect((await fetchBytes(await makeFhirKey(mine.clinic, ["patients.read"]))).status).toBe(403);
    expect((await fetchBytes(await makeFhirKey((await setup()).clinic, ["records.read"]))).status).toBe(404);
  });

  it("names its dentists, and asks a search of findings for the patient", async () => {
    const [dentist] = await search<Practitioner>(`Practitioner?_id=${mine.dentist.uid}`);
    expect(dentist).toMatchObject({ active: true, name: [{ text: mine.dentist.name }] });
    expect(await count("Practitioner?active=false")).toBe(0);
    const { status, body } = await askFhir<OperationOutcome>(mine.server, key, "Observation?status=final");
    expect([status, body.issue[0]?.diagnostics]).toEqual([400, expect.stringContaining("patient: required")]);
  });

  it("leaves lines in the audit log under the name of the key", async () => {
    const actions = (await mine.clinic.call("trail.looks", { id: patient.id })).list.map(({ action, who }) => [
      action,
      who,
    ]);
    for (const action of ["patient.read", "visit.read", "report.read", "chart.read", "study.list"])
      expect(actions).toContainEqual([action, "FHIR"]);
  });
});

describe("the record of another clinic's patient", () => {
  it("is nowhere: not by id, by search, by reference nor by inclusion", async () => {
    const other = await setup();
    const all = ["patients.read", "records.read", "studies.read", "organisation.read", "orders.read"];
    const secret = await makeFhirKey(other.clinic, all);
    const ids = await Promise.all(
      ["Observation", "Condition", "DocumentReference", "Encounter", "DiagnosticReport", "ImagingStudy"].map(
        async (type) =>
          (await search<{ id: string }>(`${type}?patient=${patient.id}`)).map(({ id }) => `${type}/${id}`),
      ),
    );
    expect(ids.flat().length).toBeGreaterThan(7);
    for (const path of [...ids.flat(), `Patient/${patient.id}`, `Practitioner/${mine.dentist.uid}`]) {
      const { status } = await askFhir(other.server, secret, path);
      expect([path, status]).toEqual([path, 404]);
      const [type, id] = path.split("/");
      const { body } = await askFhir<Bundle>(other.server, secret, `${type}?_id=${id}`);
      expect([path, body.total]).toEqual([path, 0]);
    }
    for (const type of ["Encounter", "DiagnosticReport", "ImagingStudy", "Observation", "Task"]) {
      const { body } = await askFhir<Bundle>(
        other.server,
        secret,
        `${type}?patient=${patient.id}&_include=${type}:patient`,
      );
      expect([type, body.total, body.entry]).toEqual([type, 0, undefined]);
    }
  });

  it("is not a laboratory's either: patients and records are refused to it", async () => {
    for (const type of ["Patient", "ImagingStudy", "Observation", "Encounter", "DocumentReference"])
      expect([type, (await askFhir(mine.server, mine.lab, type)).status]).toEqual([type, 403]);
  });
});
