import { describe, expect, it } from "vitest";
import { writeDicom, type DicomDataset } from "@arcada/imaging/dicom/write/write-dicom";
import { computeBounds } from "@arcada/imaging/mesh/mesh";
import { readMesh } from "@arcada/imaging/mesh/read-mesh";
import type { Instance, Study } from "@arcada/contract/study/study.schema";
import { crownStl } from "@arcada/testing/fixtures/patient-with-orders";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { makeDeidentifiedCopy } from "../../study/deidentify/deidentified-copy.ts";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const pdf = new TextEncoder().encode(
  "%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF",
);
const padded = new Uint8Array(pdf.length + (pdf.length % 2));
padded.set(pdf);
const encapsulated = (content: Uint8Array, name = "Wang^Xiaoming=王^小明") =>
  writeDicom(
    [
      [0x00080060, "CS", "DOC"],
      [0x00100010, "PN", name],
      [0x0020000d, "UI", "2.25.7001"],
      [0x0020000e, "UI", "2.25.7002"],
      [0x00420011, "OB", content],
      [0x00420012, "LO", "application/pdf"],
      [0x00420015, "UL", pdf.length],
    ],
    { sopClassUid: "1.2.840.10008.5.1.4.1.1.104.1", sopInstanceUid: "2.25.7003", charset: "ISO_IR 192" },
  );

async function taken(files: Record<string, Uint8Array>): Promise<{ here: TestSetup; study: Study; file: Instance }> {
  const env = await setup();
  const job = await uploadStudy(env.clinic, await createPatient(env.clinic), files);
  expect(job).toMatchObject({ state: "done", refused: [] });
  const study = await env.clinic.call("study.detail", { id: job.studies[0] });
  return { here: env, study, file: study.series[0].instances[0] };
}

describe("a PDF", { timeout: 180_000 }, () => {
  it.each([
    ["as a file", "letter.pdf", pdf],
    ["in a DICOM file", "letter.dcm", encapsulated(padded)],
  ])("%s is stored as a document, and served as a file that runs in no page", async (_, name, bytes) => {
    const { here: env, study, file } = await taken({ [name]: bytes });
    expect(study).toMatchObject({ kind: "document", kindCertain: true, state: "ready", thumbnailUrl: null });
    expect(file).toMatchObject({ name, picture: null, model: null, fault: null });
    const answer = await fetch(new URL(present(file.document?.url, "url"), env.server.address));
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(pdf);
    expect(answer.headers.get("content-type")).toBe("application/pdf");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="letter\.pdf"/);
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("is withheld where names are hidden, also within a DICOM file", async () => {
    for (const [name, bytes] of [
      ["a.pdf", pdf],
      ["a.dcm", encapsulated(padded)],
    ] as const) {
      const { here: env, file } = await taken({ [name]: bytes });
      const manner = {
        key: "00",
        pseudonym: "P",
        dates: "removed",
        device: false,
        descriptions: true,
        known: [],
      } as const;
      const copy = makeDeidentifiedCopy({ iid: env.clinic.iid, sha256: file.sha256 }, manner);
      await expect(copy).rejects.toMatchObject({ refusal: "fileUnsupported" });
    }
  });

  it("stays a document: it is given no other kind, and nothing else becomes one by a word", async () => {
    const { here: env, study } = await taken({ "a.pdf": pdf });
    const wish = { id: study.id, kind: "document" } as never;
    expect(refusalOf(await env.clinic.ask("study.attach", wish))).toBe("badInput");
    const other = { id: study.id, kind: "ct" } as const;
    expect(refusalOf(await env.clinic.ask("study.attach", other))).toBe("badInput");
  });

  it("that is cut off, and a DICOM document that is no PDF, are refused with reasons", async () => {
    const { clinic } = await setup();
    const job = await uploadStudy(clinic, await createPatient(clinic), {
      "cut.pdf": pdf.subarray(0, 30),
      "page.dcm": encapsulated(new TextEncoder().encode("<html><script>alert(1)</script></html>")),
    });
    expect(Object.fromEntries(job.refused.map(({ name, refusal }) => [name, refusal]))).toEqual({
      "cut.pdf": "fileTruncated",
      "page.dcm": "fileUnsupported",
    });
  });
});

const dicomDocument = (sopClassUid: string, uid: number, more: DicomDataset) =>
  writeDicom([[0x0020000d, "UI", `2.25.${uid}1`], [0x0020000e, "UI", `2.25.${uid}2`], ...more], {
    sopClassUid,
    sopInstanceUid: `2.25.${uid}3`,
    charset: "ISO_IR 192",
  });

describe("a DICOM object without pixels", { timeout: 180_000 }, () => {
  it("that contains an STL is a scan, and is served as that STL too", async () => {
    const scan = crownStl();
    const padded = new Uint8Array(scan.length + (scan.length % 2));
    padded.set(scan);
    const content: DicomDataset = [
      [0x00080060, "CS", "M3D"],
      [0x00420011, "OB", padded],
      [0x00420012, "LO", "model/stl"],
      [0x00420015, "UL", scan.length],
    ];
    const bytes = dicomDocument("1.2.840.10008.5.1.4.1.1.104.3", 7101, content);
    const { here: env, study, file } = await taken({ "model.dcm": bytes });
    expect(study).toMatchObject({ kind: "model", kindCertain: true, state: "ready" });
    expect(study.series[0]?.kind).toBe("models");
    expect(file.model).toMatchObject({ format: "stl", triangles: (scan.length - 84) / 50 });
    const answer = await fetch(new URL(present(file.document?.url, "url"), env.server.address));
    expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), scan)).toBe(0);
    expect(answer.headers.get("content-type")).toBe("model/stl");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="model\.stl"/);
  });

  it("that contains an OBJ in inches is a scan in mm, without the words of the file", async () => {
    const text = "# Wang Xiaoming\no Wang\nv 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    const obj = new TextEncoder().encode(text + (text.length % 2 ? "\n" : ""));
    const unit: DicomDataset = [
      [0x00080100, "SH", "[in_i]"],
      [0x00080102, "SH", "UCUM"],
      [0x00080104, "LO", "inch"],
    ];
    const content: DicomDataset = [
      [0x00080060, "CS", "M3D"],
      [0x004008ea, "SQ", [unit]],
      [0x00420011, "OB", obj],
      [0x00420012, "LO", "model/obj"],
      [0x00420015, "UL", obj.length],
    ];
    const bytes = dicomDocument("1.2.840.10008.5.1.4.1.1.104.4", 7103, content);
    const { here: env, study, file } = await taken({ "model.dcm": bytes });
    expect(study).toMatchObject({ kind: "model", state: "ready" });
    const answer = await fetch(new URL(present(file.model, "model").url, env.server.address));
    const surface = new Uint8Array(await answer.arrayBuffer());
    expect(Buffer.from(surface).includes("Wang")).toBe(false);
    expect(
      computeBounds(readMesh(surface, present(file.model, "model").format)).max.map((one) => Math.round(one)),
    ).toEqual([25, 51, 76]);
  });

  it("such as a report is kept as a document, and its file can be had byte for byte", async () => {
    const content: DicomDataset = [
      [0x00080060, "CS", "SR"],
      [0x0040a040, "CS", "CONTAINER"],
      [
        0x0040a730,
        "SQ",
        [
          [
            [0x0040a040, "CS", "TEXT"],
            [0x0040a160, "UT", "第三磨牙"],
          ],
        ],
      ],
    ];
    const bytes = dicomDocument("1.2.840.10008.5.1.4.1.1.88.11", 7102, content);
    const { here: env, study, file } = await taken({ "report.dcm": bytes });
    expect(study).toMatchObject({ kind: "document", state: "ready" });
    expect(file).toMatchObject({ picture: null, model: null, fault: null });
    const answer = await fetch(new URL(present(file.originalUrl, "originalUrl"), env.server.address));
    expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), bytes)).toBe(0);
  });
});
