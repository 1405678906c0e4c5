import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import { createCrownDesign } from "@arcada/phantom/scan/arch-scan";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { waitForIngestJob, createPatient, openStudy, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import { craftZip } from "./archive/crafted-zip.ts";
import { present } from "@arcada/testing/require-present";

const head = makeHead("again");
const wang = { id: "1", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" } as const;
const slices = [...createCbctFiles(head, wang, { size: { columns: 96, rows: 96, slices: 20, voxel: 1.6 } })];
const cbctZip = craftZip(slices.map(({ bytes }, place) => ({ name: `disc/I${place}`, data: bytes })));
const scan = writeStl(present(createCrownDesign(head, 11)));

describe("scans and photos again", () => {
  it("are recognised by their bytes, and new files among them become a separate study", async () => {
    const { clinic } = await setup();
    const patient = await createPatient(clinic);
    const other = writeStl(present(createCrownDesign(head, 41)));
    const photo = await sharp({ create: { width: 80, height: 60, channels: 3, background: "#a05040" } })
      .jpeg()
      .toBuffer();
    const first = await uploadStudy(clinic, patient, { "crown.stl": scan, "smile.jpg": photo });
    expect(first).toMatchObject({ added: 2, known: 0 });
    const again = await uploadStudy(clinic, patient, { "smile again.jpg": photo, "u.stl": scan, "other.stl": other });
    expect(again).toMatchObject({ state: "done", added: 1, known: 2 });
    expect(again.knownFiles).toEqual([
      { name: "smile again.jpg", as: "smile.jpg" },
      { name: "u.stl", as: "crown.stl" },
    ]);
    const details = await Promise.all(first.studies.map((id) => clinic.call("study.detail", { id })));
    const names = details.flatMap(({ series }) => series.flatMap((one) => one.instances));
    expect(Object.fromEntries(names.map(({ name, alsoNamed }) => [name, alsoNamed]))).toEqual({
      "smile.jpg": ["smile again.jpg"],
      "crown.stl": ["u.stl"],
    });
    // The same names again add nothing.
    const third = await uploadStudy(clinic, patient, { "smile again.jpg": photo, "smile.jpg": photo });
    expect(third).toMatchObject({ added: 0, known: 2 });
    const [study] = (await clinic.call("study.list", { patientId: patient })).filter(({ kind }) => kind === "photo");
    const kept = await clinic.call("study.detail", { id: study.id });
    expect(kept.series[0].instances[0].alsoNamed).toEqual(["smile again.jpg"]);
    const list = await clinic.call("study.list", { patientId: patient });
    const made = list.filter(({ id }) => !first.studies.includes(id));
    expect(made.map(({ kind, count }) => [kind, count])).toEqual([["model", 1]]);
    expect(list).toHaveLength(3);
    // For another patient they are images of their own.
    const second = await createPatient(clinic, { name: "李四", birthDate: "1980-01-01" });
    const theirs = await uploadStudy(clinic, second, { "other name.jpg": photo });
    expect(theirs).toMatchObject({ added: 1, known: 0, knownFiles: [] });
    const ofSecond = await clinic.call("study.detail", { id: theirs.studies[0] });
    expect(ofSecond.series[0].instances).toMatchObject([{ name: "other name.jpg", alsoNamed: [] }]);
  });
});

describe("two simultaneous uploads of the same files", () => {
  it("are stored once, and the later one is notified of the known files", async () => {
    const { clinic, server } = await setup();
    const patient = await createPatient(clinic);
    const loose = Object.fromEntries(slices.map(({ name, bytes }) => [name, bytes]));
    const jobs = await Promise.all([
      openStudy(clinic, patient, { "cbct.zip": cbctZip, "crown.stl": scan }),
      openStudy(clinic, patient, { ...loose, "u.stl": scan }),
      openStudy(clinic, patient, { "again.zip": cbctZip }),
    ]);
    const done = await Promise.all(jobs.map((id) => waitForIngestJob(clinic, id)));
    expect(done.map(({ state, refused }) => [state, refused])).toEqual([1, 2, 3].map(() => ["done", []]));
    expect(done.reduce((sum, { added }) => sum + added, 0)).toBe(21);
    expect(done.reduce((sum, { known }) => sum + known, 0)).toBe(41);
    const list = await clinic.call("study.list", { patientId: patient });
    expect(
      list
        .map(({ kind, count, state }) => [kind, count, state])
        .toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    ).toEqual([
      ["ct", 20, "ready"],
      ["model", 1, "ready"],
    ]);
    const stored = () =>
      server.running.database.asSystem((db) =>
        db.selectFrom("stored_file").select("sha256").where("institution_id", "=", clinic.iid).execute(),
      );
    await expect.poll(stored, { timeout: 10_000 }).toHaveLength(21);
  });
});

describe("a zip", () => {
  it("that another job is unpacking is not opened for a second patient", async () => {
    const { clinic } = await setup();
    const uploads = [await clinic.upload("cbct.zip", cbctZip)];
    const { id } = await clinic.call("study.open", { patientId: await createPatient(clinic), uploads });
    const other = await createPatient(clinic, { name: "李四" });
    const answer = await clinic.ask("study.open", { patientId: other, uploads });
    expect(answer).toMatchObject({ code: refusals.unzipInProgress.code, msg: "Unzip in progress, try later." });
    expect(await waitForIngestJob(clinic, id)).toMatchObject({ state: "done", added: 20 });
    expect(await clinic.call("study.list", { patientId: other })).toEqual([]);
  });

  it("of which not all has arrived is to be uploaded first", async () => {
    const { clinic, server } = await setup();
    const begun = await fetch(new URL("/uploads", server.address), {
      method: "POST",
      headers: {
        token: clinic.token,
        "tus-resumable": "1.0.0",
        "upload-length": "5000",
        "upload-metadata": `filename ${btoa("cbct.zip")}`,
      },
    });
    const uploads = [present(begun.headers.get("location")?.split("/").at(-1))];
    const answer = await clinic.ask("study.open", { patientId: await createPatient(clinic), uploads });
    expect(answer).toMatchObject({
      code: refusals.zipUploadFirst.code,
      msg: "Please finish uploading cbct.zip first.",
    });
  });

  it("is the one kind of archive that is opened here: others are to be unzipped first", async () => {
    const { clinic } = await setup();
    const bytes = (mark: string) => Buffer.concat([Buffer.from(mark, "latin1"), Buffer.alloc(600, 7)]);
    const job = await uploadStudy(clinic, await createPatient(clinic), {
      "cbct.rar": bytes("Rar!\u001a\u0007\u0001\u0000"),
      "cbct.7z": bytes("7z\u00bc\u00af\u0027\u001c"),
      "cbct.tar.gz": bytes("\u001f\u008b\u0008"),
      "letter.docx": craftZip([{ name: "[Content_Types].xml", data: new TextEncoder().encode("<x/>") }]),
    });
    expect(Object.fromEntries(job.refused.map(({ name, refusal }) => [name, refusal]))).toEqual({
      "cbct.rar": "unzipFirst",
      "cbct.7z": "unzipFirst",
      "cbct.tar.gz": "unzipFirst",
      "letter.docx": "fileUnsupported",
    });
  });
});
