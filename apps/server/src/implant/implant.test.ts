import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { createCephalogram } from "@arcada/phantom/radiograph/cephalogram";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { implantLibrary, planContent } from "@arcada/testing/fixtures/implant-plan";
import { prescription } from "@arcada/testing/fixtures/patient-with-orders";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { refusalOf } from "@arcada/testing/refusal-of";
import { setup, type TestUser } from "@arcada/testing/setup/test-server";
import { buildPlanReport } from "./plan-report.document.ts";

const film = createCephalogram(
  makeHead("implant planned"),
  { name: "LI^MEI", id: "I1", birthDate: "19700101", sex: "F" },
  { date: "20260301" },
);

async function uploadPlanned(clinic: TestUser) {
  const patientId = await createPatient(clinic);
  const job = await uploadStudy(clinic, patientId, { [film.name]: film.bytes }, { acceptMismatch: true });
  return { patientId, studyId: job.studies[0] };
}

const picture = async () => ({
  kind: "across" as const,
  number: 1,
  image: (
    await sharp({ create: { width: 40, height: 60, channels: 3, background: "#345" } })
      .jpeg()
      .toBuffer()
  ).toString("base64"),
});

describe("implant libraries", () => {
  it("replace one of the same name, and are removed by managers only", async () => {
    const { clinic, dentist } = await setup();
    const first = await clinic.call("implant.importLibrary", { library: implantLibrary });
    const again = await clinic.call("implant.importLibrary", { library: { ...implantLibrary, source: "2027" } });
    expect(again.id).toBe(first.id);
    expect((await dentist.call("implant.libraries", {})).map(({ library }) => library.source)).toEqual(["2027"]);
    expect(refusalOf(await dentist.ask("implant.removeLibrary", { id: first.id }))).toBe("notAllowed");
    await clinic.call("implant.removeLibrary", { id: first.id });
    expect(await clinic.call("implant.libraries", {})).toEqual([]);
  });

  it("are refused if a measure is outside its limits or a system occurs twice", async () => {
    const { clinic } = await setup();
    const [system] = implantLibrary.systems;
    const wide = { ...system, implants: [{ connection: null, diameter: 40, lengths: [8] }] };
    for (const systems of [[wide], [system, system]])
      expect(
        refusalOf(
          await clinic.ask("implant.importLibrary", { library: { ...implantLibrary, systems: systems as never } }),
        ),
      ).toBe("badInput");
  });
});

describe("plan report", () => {
  it("is a PDF of the patient that goes into an order with its pictures", async () => {
    const { clinic, lab } = await setup();
    const { patientId, studyId } = await uploadPlanned(clinic);
    const pictures = [await picture()];
    const report = await clinic.call("implant.saveReport", {
      studyId,
      version: 0,
      content: planContent,
      pictures,
      lang: "zh",
    });
    expect(report).toMatchObject({ kind: "report", isOutdated: false });
    const pdf = await (await fetch(clinic.server.address + report.url)).text();
    expect(pdf.slice(0, 5)).toBe("%PDF-");
    await expect
      .poll(async () => (await clinic.call("study.list", { patientId })).map(({ kind }) => kind).toSorted(), {
        timeout: 20_000,
      })
      .toEqual(["document", "lateralCeph"]);
    const { files: attached } = await clinic.call("implant.attach", { studyId });
    expect(attached.map(({ role }) => role)).toEqual(["document", "image"]);
    const uploads = attached.map(({ upload, role }) => ({ upload, role }));
    const order = await clinic.call("order.save", { ...prescription(patientId, lab.iid), uploads });
    expect(order.files.map(({ role, name }) => `${role} ${name.split(".").at(-1)}`).toSorted()).toEqual([
      "document pdf",
      "image jpg",
    ]);
  });

  it("is refused if the plan has changed since it was read, and is called outdated afterwards", async () => {
    const { clinic } = await setup();
    const { studyId } = await uploadPlanned(clinic);
    const input = { studyId, content: planContent, pictures: [], lang: "en" as const };
    await clinic.call("implant.saveReport", { ...input, version: 0 });
    await clinic.call("study.saveMarks", { id: studyId, version: 0, marks: [] });
    expect(refusalOf(await clinic.ask("implant.saveReport", { ...input, version: 0 }))).toBe("marksChanged");
    expect((await clinic.call("implant.documents", { studyId })).map(({ isOutdated }) => isOutdated)).toEqual([true]);
  });

  it("accepts pictures only", async () => {
    const { clinic } = await setup();
    const { studyId } = await uploadPlanned(clinic);
    const pictures = [{ kind: "panorama" as const, number: null, image: Buffer.from("no picture").toString("base64") }];
    const sent = await clinic.ask("implant.saveReport", {
      studyId,
      version: 0,
      content: planContent,
      pictures,
      lang: "en",
    });
    expect(refusalOf(sent)).toBe("fileUnknown");
  });
});

it("a guide's STL is kept with the study of its plan and goes into an order, but is no scan of the patient", async () => {
  const { clinic } = await setup();
  const { patientId, studyId } = await uploadPlanned(clinic);
  const settings = { thickness: 2.5, gap: 0.1, sleeves: [1], scan: "lower.stl" };
  const upload = await clinic.upload("guide.stl", makeTetrahedron());
  const guide = await clinic.call("implant.saveGuide", { studyId, version: 0, upload, settings });
  expect(guide).toMatchObject({ kind: "guide", name: "guide.stl" });
  expect((await clinic.call("study.list", { patientId })).map(({ kind }) => kind)).toEqual(["lateralCeph"]);
  expect((await clinic.call("implant.attach", { studyId })).files.map(({ name }) => name)).toEqual(["guide.stl"]);
  await clinic.call("study.saveMarks", { id: studyId, version: 0, marks: [] });
  expect(await clinic.call("implant.attach", { studyId })).toEqual({ files: [], outdated: ["guide"] });
  expect(refusalOf(await clinic.ask("implant.saveGuide", { studyId, version: 0, upload, settings }))).toBe(
    "marksChanged",
  );
});

it("a report of a study that is moved to another patient goes into no order of that patient", async () => {
  const { clinic } = await setup();
  const { patientId, studyId } = await uploadPlanned(clinic);
  await clinic.call("implant.saveReport", { studyId, version: 0, content: planContent, pictures: [], lang: "en" });
  const other = await createPatient(clinic);
  await clinic.call("study.move", {
    id: studyId,
    from: patientId,
    patientId: other,
    acceptMismatch: true,
    reason: "wrong patient",
  });
  expect(await clinic.call("implant.attach", { studyId })).toEqual({ files: [], outdated: ["report"] });
});

const makeTetrahedron = (): Uint8Array =>
  writeStl({
    positions: Float32Array.of(0, 0, 0, 10, 0, 0, 0, 10, 0, 0, 0, 10),
    indices: Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3),
    colours: null,
  });

it("a report states no figure for a suggested tooth, and names it only where it is too near", () => {
  const suggested = { to: "root" as const, tooth: null, isSuggested: true, limit: 1.5 };
  const write = (mm: number): string => {
    const implants = planContent.implants.map((one) => ({ ...one, distances: [{ ...suggested, mm }] }));
    const study = { patientName: "Li Mei", patientNumber: "I1", birthDate: null, institution: "Clinic", takenAt: null };
    const data = { study, content: { ...planContent, implants }, images: [], plannedBy: "Dr Li", now: new Date(0) };
    return JSON.stringify(buildPlanReport(data as never, "en"));
  };
  expect(write(0.73)).toContain("(suggested by measurement, not confirmed): less than 1.5 mm");
  expect(write(0.73)).not.toContain("0.7 mm");
  expect(write(4.26)).not.toMatch(/4\.2 mm|not confirmed\)/);
});
