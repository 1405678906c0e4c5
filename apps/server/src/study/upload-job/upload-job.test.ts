import { describe, expect, it } from "vitest";
import { smallScanStl } from "@arcada/testing/fixtures/orders";
import { createPatient, openStudy } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

describe("opening an upload", () => {
  it("accepts only complete uploads of the same user, for a patient of the own institution", async () => {
    const { clinic, dentist, server } = await setup();
    const stranger = (await setup()).clinic;
    const patientId = await createPatient(clinic);
    const upload = await clinic.upload("a.stl", smallScanStl());
    expect(refusalOf(await stranger.ask("study.open", { patientId, uploads: [upload] }))).toBe("notFound");
    expect(
      refusalOf(await stranger.ask("study.open", { patientId: await createPatient(stranger), uploads: [upload] })),
    ).toBe("uploadUnknown");
    expect(refusalOf(await dentist.ask("study.open", { patientId, uploads: [upload] }))).toBe("uploadUnknown");
    const begun = await fetch(`${server.address}/uploads`, {
      method: "POST",
      headers: {
        token: clinic.token,
        "tus-resumable": "1.0.0",
        "upload-length": "100",
        "upload-metadata": `filename ${btoa("b.stl")}`,
      },
    });
    const half = present(begun.headers.get("location")?.split("/").at(-1));
    expect(refusalOf(await clinic.ask("study.open", { patientId, uploads: [upload, half] }))).toBe("uploadIncomplete");
  });

  it("returns the same job when it is requested twice", async () => {
    const { clinic } = await setup();
    const patientId = await createPatient(clinic);
    const uploads = [await clinic.upload("a.stl", smallScanStl())];
    const key = { "idempotency-key": "k1" };
    const jobs = await Promise.all([
      clinic.call("study.open", { patientId, uploads }, key),
      clinic.call("study.open", { patientId, uploads }, key),
    ]);
    expect(jobs[0].id).toBe(jobs[1].id);
  });

  it("is neither visible to other organisations nor cancellable by them", async () => {
    const { clinic } = await setup();
    const stranger = (await setup()).clinic;
    const id = await openStudy(clinic, await createPatient(clinic), { "a.stl": smallScanStl() });
    expect(refusalOf(await stranger.ask("study.job", { id }))).toBe("notFound");
    expect(refusalOf(await stranger.ask("study.cancelJob", { id }))).toBe("notFound");
  });
});
