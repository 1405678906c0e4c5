import { createHash } from "node:crypto";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { readDicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { DicomwebClient } from "@arcada/testing/clients/dicomweb-client";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const size = { columns: 32, rows: 32, slices: 6, voxel: 4 };
const wang = { id: "P-17", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" } as const;
const slices = [...createCbctFiles(makeHead("dicomweb"), wang, { size })].map(({ bytes }) => bytes);
const header = readDicomHeader(readDicom(slices[2]));
const sum = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const study = `/studies/${header.studyInstanceUid}`;
const series = `${study}/series/${header.seriesInstanceUid}`;
const instance = `${series}/instances/${header.sopInstanceUid}`;

let env: TestSetup;
let viewer: DicomwebClient;
beforeAll(async () => {
  env = await setup();
  viewer = new DicomwebClient(env.clinic);
  const files = Object.fromEntries(slices.map((bytes, place) => [`I${place}`, bytes]));
  await uploadStudy(env.clinic, await createPatient(env.clinic), files);
  await viewer.waitForResults("/studies", 1);
});

describe("a search by DICOMweb", () => {
  it("returns a study, its series and its instances with the attributes of the files", async () => {
    const [found] = await viewer.search("/studies");
    expect(found).toMatchObject({
      "00100010": { vr: "PN", Value: [{ Alphabetic: "Wang^Xiaoming", Ideographic: "王^小明" }] },
      "00100020": { vr: "LO", Value: ["P-17"] },
      "00080061": { vr: "CS", Value: ["CT"] },
      "0020000D": { vr: "UI", Value: [header.studyInstanceUid] },
      "00081190": { vr: "UR", Value: [`${viewer.base}${study}`] },
      "00201206": { vr: "IS", Value: [1] },
      "00201208": { vr: "IS", Value: [6] },
    });
    expect(Object.keys(found)).toEqual(Object.keys(found).toSorted());
    expect(await viewer.search(`${study}/series`)).toMatchObject([{ "00201209": { Value: [6] } }]);
    const instances = await viewer.search(`${series}/instances`);
    expect(instances.map((one) => one["00200013"].Value)).toEqual([[1], [2], [3], [4], [5], [6]]);
    expect((await viewer.search("/instances?limit=2&offset=4")).map((one) => one["00200013"].Value)).toEqual([
      [5],
      [6],
    ]);
    expect((await viewer.search("/instances?limit=1"))[0]).toMatchObject({ "00100020": { Value: ["P-17"] } });
  });

  const day = present(header.studyDate, "studyDate").replaceAll("-", "");
  it.each([
    "PatientName=Wang^Xiaoming",
    "PatientName=wang*",
    "PatientName=王^小明",
    "PatientName=WANG^Xiao????",
    "PatientName=wangxiao&fuzzymatching=true",
    "PatientName=小明&fuzzymatching=true",
    "PatientName=wxm&fuzzymatching=true",
    "PatientName=xiaoming wang&fuzzymatching=true",
    "PatientID=P-17",
    "00100020=P*",
    "PatientBirthDate=19900101",
    "PatientSex=M",
    `StudyDate=${day}`,
    `StudyDate=-${day}`,
    `StudyDate=${day}-`,
    "StudyDate=19000101-29991231",
    "ModalitiesInStudy=CT,PX",
    "ModalitiesInStudy=C*",
    `StudyInstanceUID=1.2.3,${header.studyInstanceUid}`,
    "StudyDescription=*",
    "includefield=all",
  ])("finds the study by %s", async (query) => {
    expect(await viewer.search(`/studies?${query}`)).toHaveLength(1);
  });

  it.each([
    "PatientName=Wang",
    "PatientName=*%25*",
    "PatientName=W.*",
    "PatientName=李&fuzzymatching=true",
    "PatientID=p-17",
    "PatientID=P_17",
    "PatientSex=F",
    `StudyDate=${Number(day.slice(0, 4)) + 1}0101-`,
    "StudyDate=-19000101",
    "ModalitiesInStudy=PX",
    "StudyInstanceUID=1.2.3",
    "AccessionNumber=nothing",
  ])("finds no study by %s", async (query) => {
    expect(await viewer.search(`/studies?${query}`)).toEqual([]);
  });

  it("finds series and instances by keys of each level", async () => {
    expect(await viewer.search(`/series?Modality=CT&PatientID=P-17`)).toHaveLength(1);
    expect(await viewer.search(`/instances?SOPInstanceUID=${header.sopInstanceUid}`)).toHaveLength(1);
  });

  it("warns of a key that it does not match by", async () => {
    const loose = await viewer.request("/studies?InstitutionName=x");
    expect(loose.headers.get("warning")).toContain("InstitutionName");
  });

  it.each(["StudyDate=2020", "limit=x", "Nonsense=1", "StudyInstanceUID=a", `PatientName=${"*a".repeat(50)}`])(
    "refuses %s",
    async (query) => {
      expect((await viewer.request(`/studies?${query}`)).status).toBe(400);
    },
  );

  it("refuses to answer as XML", async () => {
    const xml = await viewer.request("/studies", 'multipart/related; type="application/dicom+xml"');
    expect(xml.status).toBe(406);
    expect(refusalOf((await xml.json()) as { code: number })).toBe("notAcceptable");
  });
});

describe("reading by DICOMweb", () => {
  it("returns the files byte for byte, as multipart or single, and no bytes for a known entity tag", async () => {
    const type = 'multipart/related; type="application/dicom"; transfer-syntax=*';
    for (const at of [study, series]) {
      const parts = await viewer.fetchParts(at, type);
      expect(parts.map(({ body }) => sum(body))).toEqual(slices.map(sum));
    }
    expect(sum((await viewer.fetchParts(instance, type))[0].body)).toBe(sum(slices[2]));
    const alone = await viewer.request(instance, "application/dicom");
    expect(sum(new Uint8Array(await alone.arrayBuffer()))).toBe(sum(slices[2]));
    const etag = { headers: { "if-none-match": present(alone.headers.get("etag"), "etag") } };
    expect((await viewer.request(instance, "application/dicom", etag)).status).toBe(304);
    const other = 'multipart/related; type="application/dicom"; transfer-syntax=1.2.840.10008.1.2.4.50';
    expect((await viewer.request(study, other)).status).toBe(406);
    expect((await viewer.request(study, "text/html")).status).toBe(406);
  });

  it("returns metadata with bulk data addresses, and frames with the original pixels", async () => {
    const described = await viewer.search(`${study}/metadata`);
    expect(described).toHaveLength(6);
    expect(described[2]).toMatchObject({
      "00280010": { vr: "US", Value: [32] },
      "00083002": { vr: "UI", Value: [header.transferSyntaxUid] },
      "7FE00010": { BulkDataURI: `${viewer.base}${instance}/bulkdata/7FE00010` },
    });
    const pixels = present(readDicom(slices[2]).rawValue("x7fe00010"));
    const type = 'multipart/related; type="application/octet-stream"';
    for (const at of [`${instance}/frames/1`, present(described[2]["7FE00010"].BulkDataURI, "BulkDataURI")]) {
      const [frame] = await viewer.fetchParts(at, type);
      expect(Buffer.compare(frame.body, pixels)).toBe(0);
      expect(frame.headers["Content-Type"]).toContain("transfer-syntax=1.2.840.10008.1.2.1");
    }
    expect((await viewer.request(`${instance}/frames/2`, type)).status).toBe(404);
    expect((await viewer.request(`${instance}/frames/x`, type)).status).toBe(400);
    expect((await viewer.request(`${instance}/frames/1`, 'multipart/related; type="image/jpeg"')).status).toBe(406);
  });

  it("returns its own frame to each of many concurrent readers, of whom some are slow and some disconnect", async () => {
    const headers = { accept: "application/octet-stream", authorization: `Bearer ${env.clinic.token}` };
    const reads = async (place: number) => {
      const { sopInstanceUid } = readDicomHeader(readDicom(slices[place]));
      const stopped = new AbortController();
      const answer = await fetch(`${viewer.base}${series}/instances/${sopInstanceUid}/frames/1`, {
        headers,
        signal: stopped.signal,
      });
      if (place === 0) return stopped.abort();
      if (place === 1) await new Promise((resolve) => setTimeout(resolve, 200));
      expect(sum(new Uint8Array(await answer.arrayBuffer()))).toBe(
        sum(present(readDicom(slices[place]).rawValue("x7fe00010"))),
      );
    };
    await Promise.all(Array.from({ length: 60 }, (_, place) => reads(place % slices.length)));
  });

  it("renders images in the requested window and size", async () => {
    const drawn = async (path: string, accept: string) =>
      sharp(Buffer.from(await (await viewer.request(path, accept)).arrayBuffer())).metadata();
    expect(await drawn(`${instance}/rendered?window=500,2000,linear&viewport=16,20`, "image/png")).toMatchObject({
      format: "png",
      width: 16,
      height: 16,
    });
    expect(await drawn(`${study}/thumbnail`, "*/*")).toMatchObject({ format: "jpeg", width: 256 });
    expect((await viewer.request(`${instance}/rendered?window=1`)).status).toBe(400);
    expect((await viewer.request(`${instance}/rendered`, "image/gif")).status).toBe(406);
  });
});

describe("access by DICOMweb", () => {
  it("is limited to a clinic's own studies: another clinic's study is not found, and a lab has no access", async () => {
    const other = await setup();
    const stranger = new DicomwebClient(other.clinic);
    expect(await stranger.search("/studies")).toEqual([]);
    for (const rest of ["", "/metadata", "/rendered", `/series/${header.seriesInstanceUid}`]) {
      const [foreign, unknown] = [
        await stranger.request(`${study}${rest}`),
        await stranger.request(`/studies/1.2.3${rest}`),
      ];
      expect([foreign.status, await foreign.text()]).toEqual([404, await unknown.text()]);
    }
    expect((await new DicomwebClient(env.lab).request("/studies")).status).toBe(403);
    expect((await fetch(`${viewer.base}/studies`)).status).toBe(401);
    expect((await viewer.request("/studies/..%2f..%2fetc")).status).toBe(404);
  });
});

describe("a study that two patients have", () => {
  it("is found once as long as one of them has it outside the bin", { timeout: 60_000 }, async () => {
    const { clinic } = await setup();
    const looking = new DicomwebClient(clinic);
    const files = { one: slices[0] };
    const patients = [await createPatient(clinic), await createPatient(clinic)];
    for (const patient of patients) await uploadStudy(clinic, patient, files, { acceptMismatch: true });
    await looking.waitForResults("/studies", 1);
    const [first, second] = patients as [string, string];
    const [own] = await clinic.call("study.list", { patientId: first });
    await clinic.call("study.remove", { id: own.id });
    expect(await looking.search("/instances")).toHaveLength(1);
    await clinic.call("patient.remove", { id: second });
    expect(await looking.search("/studies")).toEqual([]);
    expect((await looking.request(study)).status).toBe(404);
    await clinic.call("patient.restore", { id: second });
    expect(await looking.search("/studies")).toHaveLength(1);
  });
});
