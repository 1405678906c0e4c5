import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkFhirBundle } from "@arcada/testing/tools/fhir-check";
import { validateFhir } from "@arcada/testing/tools/validate-fhir";
import { readZip } from "@arcada/testing/tools/zip-reader";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import {
  canary,
  photo,
  createDocumentedPatient,
  seedExamination,
} from "@arcada/testing/fixtures/patient-with-all-records";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("the data of one patient", () => {
  it("are exported as an archive: our format, a FHIR bundle, original files and attachments, each with its hash", async () => {
    const mine = await setup();
    const { clinic, dentist, server } = mine;
    const { id, number } = await createDocumentedPatient(mine);
    await seedExamination(dentist, id);
    const other = await createPatient(clinic, { name: "Somebody Else" });
    const { url, files: count } = await dentist.call("patient.archive", { id });
    const answer = await fetch(`${server.address}${url}`, { headers: { token: dentist.token } });
    const archive = await readZip(new Uint8Array(await answer.arrayBuffer()));
    const manifest = JSON.parse(present(archive.get("manifest.json"), "manifest.json").toString()) as {
      files: { path: string; sha256: string; bytes: number }[];
    };
    expect(manifest.files).toHaveLength(count + 2);
    for (const { path, sha256, bytes } of manifest.files)
      expect([hash(present(archive.get(path))), present(archive.get(path)).length], path).toEqual([sha256, bytes]);
    expect([...archive.values()].some((bytes) => bytes.equals(photo))).toBe(true);
    const ours = JSON.parse(present(archive.get("patient.json"), "patient.json").toString()) as Record<
      string,
      Record<string, unknown>[]
    >;
    expect(ours.patient).toMatchObject([{ id, number, name: `${canary} One`, id_number: canary }]);
    expect(ours.visit).toMatchObject([{ content: { complaint: canary } }]);
    expect(ours.consent).toMatchObject([{ kind: "imaging", given_by: canary }]);
    expect(present(archive.get("patient.json"), "patient.json").toString()).not.toContain(other);
    const bundle: unknown = JSON.parse(present(archive.get("fhir.json"), "fhir.json").toString());
    validateFhir(bundle);
    checkFhirBundle(bundle as Parameters<typeof checkFhirBundle>[0]);
    const lines = (await clinic.call("trail.looks", { id })).list.map(({ action, who }) => [action, who]);
    expect(lines).toContainEqual(["patient.archive", dentist.name]);
    expect(refusalOf(await (await setup()).clinic.ask("patient.archive", { id }))).toBe("notFound");
  });
});
