import type { Bundle, Patient, Resource } from "@medplum/fhirtypes";
import { Client } from "fhir-kit-client";
import { describe, expect, it } from "vitest";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { present } from "@arcada/testing/require-present";
import { setup } from "@arcada/testing/setup/test-server";
import { makeFhirKey } from "@arcada/testing/tools/fhir-requests";
import { validateFhir } from "@arcada/testing/tools/validate-fhir";

describe("a client of another maker (fhir-kit-client)", () => {
  it("reads the metadata, searches, turns the page, reads, creates and updates", async () => {
    const { clinic, server } = await setup();
    await createPatient(clinic);
    await createPatient(clinic);
    const bearerToken = await makeFhirKey(clinic, ["patients.read", "patients.write"]);
    const client = new Client({ baseUrl: `${server.address}/fhir`, bearerToken });
    const metadata = await client.capabilityStatement();
    expect(metadata).toMatchObject({ resourceType: "CapabilityStatement", fhirVersion: "4.0.1" });

    const page = (await client.search({
      resourceType: "Patient",
      searchParams: { _count: 1, _sort: "_lastUpdated" },
    })) as unknown as Bundle<Patient>;
    const next = (await client.nextPage({ bundle: page as never })) as unknown as Bundle<Patient>;
    expect(next.entry?.[0]?.resource?.id).not.toBe(page.entry?.[0]?.resource?.id);
    const posted = await client.search({
      resourceType: "Patient",
      searchParams: { gender: "female,male,other" },
      options: { postSearch: true },
    });
    expect((posted as unknown as Bundle).total).toBe(2);

    const created = (await client.create({
      resourceType: "Patient",
      body: {
        resourceType: "Patient",
        name: [{ family: "王", given: ["小明"] }],
        gender: "male",
        birthDate: "1990-02-03",
      },
    })) as unknown as Patient;
    const id = present(created.id, "id");
    const read = (await client.read({ resourceType: "Patient", id })) as unknown as Patient;
    expect(read.name).toEqual([{ text: "王小明" }]);
    const updated = (await client.update({
      resourceType: "Patient",
      id,
      body: { ...read, birthDate: "1990-02-04" } as never,
    })) as unknown as Patient;
    expect([updated.birthDate, updated.meta?.versionId]).toEqual(["1990-02-04", "1"]);
    for (const one of [metadata, page, next, posted, created, read, updated] as unknown as Resource[])
      validateFhir(one);

    await expect(client.read({ resourceType: "Patient", id: "unknown" })).rejects.toMatchObject({
      response: { status: 404, data: { resourceType: "OperationOutcome" } },
    });
  });
});
