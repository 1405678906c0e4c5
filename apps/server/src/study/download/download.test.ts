import { beforeAll, describe, expect, it } from "vitest";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { deidentifyImage } from "@arcada/imaging/deidentify/deidentify-image";
import { deriveUid, writeDicom } from "@arcada/imaging/dicom/write/write-dicom";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import sharp from "sharp";
import { pngZlib } from "../deidentify/png-zlib.ts";
import { smallScanStl } from "@arcada/testing/fixtures/orders";
import { readZip } from "@arcada/testing/tools/zip-reader";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const size = { columns: 32, rows: 32, slices: 8, voxel: 4 };
const wang = { id: "PID-4711", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" } as const;
const slices = Object.fromEntries(
  [...createCbctFiles(makeHead("outgoing"), wang, { size })].map(({ name, bytes }) => [`王小明 ${name}`, bytes]),
);

describe("an archive of a patient's studies", () => {
  let env: TestSetup;
  let patient: string;
  let studies: string[];
  beforeAll(async () => {
    env = await setup();
    patient = await createPatient(env.clinic);
    const ct = await uploadStudy(env.clinic, patient, slices);
    const photo = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#a45" } })
      .jpeg()
      .toBuffer();
    const more = await uploadStudy(env.clinic, patient, { "upper.stl": smallScanStl(), "小明.jpg": photo });
    studies = [...ct.studies, ...more.studies];
  });

  it("contains every file as it was uploaded, under the names that people gave them", async () => {
    const { dentist } = env;
    const download = await dentist.call("study.download", { studies }, { "accept-language": "zh" });
    const files = await readZip(await downloadArchive(dentist, download.url));
    expect(download.files).toBe(10);
    expect([...files.keys()].filter((name) => /^CBCT [\d-]+\/王小明 /.test(name))).toHaveLength(8);
    const scan = present([...files].find(([name]) => name.endsWith("upper.stl")))[1];
    expect(scan.equals(Buffer.from(smallScanStl()))).toBe(true);
    for (const [name, bytes] of Object.entries(slices))
      expect([...files].find(([path]) => path.endsWith(`/${name}`))?.[1].equals(Buffer.from(bytes)), name).toBe(true);
    expect(await dentist.call("study.downloadState", { id: download.id })).toMatchObject({ state: "done", done: 10 });
  });

  it("contains no names when it is de-identified, and has the same pseudonym of the patient every time", async () => {
    const { dentist } = env;
    const once = async (nameless: { pseudonym?: string; dates?: "removed" | "moved" | "kept" }) =>
      readZip(await downloadArchive(dentist, (await dentist.call("study.download", { studies, nameless })).url));
    const [first, again, other] = [await once({}), await once({}), await once({ pseudonym: "Case 9", dates: "moved" })];
    expect(first).toHaveLength(10);
    for (const files of [first, other])
      for (const [name, bytes] of files)
        for (const word of ["王", "小明", "Wang", "Xiaoming", "PID-4711", "19900101"])
          expect([name.includes(word), bytes.includes(Buffer.from(word))], `${word} in ${name}`).toEqual([
            false,
            false,
          ]);
    expect([...first.keys()]).toEqual([...again.keys()]);
    for (const [name, bytes] of first) expect(again.get(name)?.equals(bytes), name).toBe(true);
    const [one, two] = [first, other].map((files) =>
      readDicom(present([...files].find(([name]) => name.endsWith(".dcm")))[1]),
    );
    expect(one.text("x00100010")).toMatch(/^P-[0-9A-F]{8}$/);
    expect(two.text("x00100010")).toBe("Case 9");
    expect(one.text("x0020000d")).not.toBe(two.text("x0020000d"));
    expect([one.text("x00080020"), two.text("x00280303")]).toEqual([null, "MODIFIED"]);
    expect(two.text("x00080020")).toMatch(/^\d{8}$/);
  });

  it("opens only for the session that requested it, while that session lasts", async () => {
    const { dentist, clinic, server } = env;
    const { url, id } = await dentist.call("study.download", { studies: studies.slice(-1) });
    const at = (address: string) => fetch(`${server.address}${address}`).then(({ status }) => status);
    expect(await at(url.replace(/&s=(.)/, (_, first: string) => `&s=${first === "A" ? "B" : "A"}`))).toBe(403);
    expect(await at(url.replace(/e=(\d+)/, (_, time: string) => `e=${Number(time) + 60}`))).toBe(403);
    expect(refusalOf(await clinic.ask("study.downloadState", { id }))).toBe("notFound");
    await dentist.call("account.logout", {});
    await expect.poll(() => at(url)).toBe(403);
  });

  it("is aborted when its reader disconnects in the middle", async () => {
    const { clinic, server } = env;
    const heavy = await uploadStudy(
      clinic,
      await createPatient(clinic),
      { "heavy.dcm": largeImage() },
      { acceptMismatch: true },
    );
    for (const nameless of [undefined, {}]) {
      const { id, url } = await clinic.call("study.download", {
        studies: heavy.studies,
        ...(nameless && { nameless }),
      });
      const leaves = new AbortController();
      const answer = await fetch(`${server.address}${url}`, { signal: leaves.signal });
      await present(answer.body, "body").getReader().read();
      leaves.abort();
      await expect
        .poll(async () => (await clinic.call("study.downloadState", { id })).state, { timeout: 10_000 })
        .toBe("failed");
    }
  });

  it("is of one patient, and of one's own", async () => {
    const { clinic } = env;
    const stranger = (await setup()).clinic;
    expect(refusalOf(await stranger.ask("study.download", { studies }))).toBe("notFound");
    expect(refusalOf(await stranger.ask("study.telling", { patientId: patient }))).toBe("notFound");
    const other = (await uploadStudy(clinic, await createPatient(clinic), { "a.stl": smallScanStl(2) })).studies;
    expect(refusalOf(await clinic.ask("study.download", { studies: [...studies, ...other] }))).toBe("badInput");
    expect(refusalOf(await clinic.ask("study.download", { studies, nameless: { pseudonym: "王" } }))).toBe("badInput");
  });

  it("is preceded by a warning about images that may identify the patient", async () => {
    const list = await env.clinic.call("study.list", { patientId: patient });
    const photo = present(list.find(({ kind }) => kind === "photo"));
    expect(await env.clinic.call("study.telling", { patientId: patient })).toEqual([
      { studyId: photo.id, reasons: ["face"] },
    ]);
  });
});

describe("a de-identified image", () => {
  it("shows the same image in the right orientation, and contains nothing else", async () => {
    const noise = Buffer.from(Uint8Array.from({ length: 48 * 32 * 3 }, (_, at) => Math.imul(at, 2654435761) >>> 24));
    const image = sharp(noise, { raw: { width: 48, height: 32, channels: 3 } })
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { Artist: "Kanarienvogel" } });
    for (const [kind, bytes] of [
      ["jpeg", await image.clone().jpeg({ progressive: true }).toBuffer()],
      ["jpeg", await image.clone().jpeg().toBuffer()],
      ["png", await image.clone().png().toBuffer()],
    ] as const) {
      expect(bytes.includes("Kanarienvogel"), kind).toBe(true);
      const clean = Buffer.from(deidentifyImage(Buffer.concat([bytes, Buffer.from("Kanarienvogel")]), kind, pngZlib));
      expect(clean.includes("Kanarienvogel"), kind).toBe(false);
      expect((await sharp(clean).raw().toBuffer()).equals(await sharp(bytes).raw().toBuffer())).toBe(true);
      if (kind === "jpeg") expect((await sharp(clean).metadata()).orientation).toBe(6);
    }
  });
});

/** Larger than the buffers between the two ends of a connection. */
const largeImage = (): Uint8Array =>
  writeDicom(
    [
      [0x00080060, "CS", "PX"],
      [0x00100010, "PN", "Wang"],
      [0x0020000d, "UI", deriveUid("heavy", "study")],
      [0x0020000e, "UI", deriveUid("heavy", "series")],
      [0x00280002, "US", 1],
      [0x00280004, "CS", "MONOCHROME2"],
      [0x00280010, "US", 2000],
      [0x00280011, "US", 4000],
      [0x00280100, "US", 16],
      [0x00280101, "US", 12],
      [0x00280102, "US", 11],
      [0x00280103, "US", 0],
      [0x7fe00010, "OW", new Uint16Array(2000 * 4000)],
    ],
    { sopClassUid: "1.2.840.10008.5.1.4.1.1.1.1", sopInstanceUid: deriveUid("heavy", "image") },
  );

async function downloadArchive(who: TestUser, url: string): Promise<Buffer> {
  const answer = await fetch(`${who.server.address}${url}`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/zip"]);
  return Buffer.from(await answer.arrayBuffer());
}
