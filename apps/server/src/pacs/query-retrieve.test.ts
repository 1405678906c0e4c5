import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { readDataSet, type StandaloneDataSet } from "@arcada/imaging/dicom/parse/read-data-set";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { DicomwebClient } from "@arcada/testing/clients/dicomweb-client";
import { DimseClient, type DimseMessage } from "@arcada/testing/clients/dimse-client";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { isToolInstalled } from "@arcada/testing/peers/dcmtk";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { listenForDicom } from "../dicom-port.ts";
import { commands, statusCodes } from "../dimse/command-set.ts";
import {
  commitmentInstance,
  commitmentModel,
  explicitLittleEndian,
  patientRootFind,
  studyRootFind,
  studyRootGet,
  studyRootMove,
  worklistModel,
} from "../dimse/presentation-contexts.ts";
import type { DimseReceiver } from "../dimse/receiver.ts";
import { readConfig } from "../platform/runtime/config.ts";

const ctImage = "1.2.840.10008.5.1.4.1.1.2";
let env: TestSetup;
let receiver: DimseReceiver;
let files: Uint8Array[];
let study: string;
beforeAll(async () => {
  env = await setup();
  const patient = await createPatient(env.clinic);
  const { number } = await env.clinic.call("patient.detail", { id: patient });
  files = [
    ...createCbctFiles(
      makeHead("query"),
      { id: number, name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" },
      { size: { columns: 32, rows: 32, slices: 4, voxel: 4 } },
    ),
  ].map(({ bytes }) => bytes);
  study = readDicomHeader(readDicom(files[0])).studyInstanceUid;
  receiver = await openPort();
  const viewer = new DicomwebClient(env.clinic);
  await viewer.store(files);
  await viewer.waitForResults(`/studies/${study}/instances`, 4);
}, 60_000);
afterAll(() => receiver.close());

const openPort = (more: Record<string, string> = {}): Promise<DimseReceiver> =>
  listenForDicom(
    readConfig({
      HOST: "127.0.0.1",
      DICOM_PORT: "0",
      DICOM_CALLING_AES: `WS1=${env.clinic.iid},CBCT1=${env.clinic.iid}`,
      DICOM_QUERY_AES: "WS1",
      DICOM_WORKLIST_AES: "CBCT1=CT",
      DICOM_NETWORKS: "127.0.0.0/8",
      ...more,
    }),
    env.server.running.database,
  ) as Promise<DimseReceiver>;

const services = [patientRootFind, studyRootFind, studyRootGet, studyRootMove, commitmentModel, worklistModel];
const proposals = [...services, ctImage].map((abstractSyntax, place) => ({
  id: place * 2 + 1,
  abstractSyntax,
  transferSyntaxes: [explicitLittleEndian],
}));
const contextOf = (abstractSyntax: string): number =>
  proposals.find((one) => one.abstractSyntax === abstractSyntax)?.id ?? 0;

const open: DimseClient[] = [];
afterAll(() => {
  for (const client of open) client.socket.destroy();
});
async function connectAs(callingTitle: string): Promise<DimseClient> {
  const roles = [{ sopClass: ctImage, isScu: false, isScp: true }];
  const { client, unit } = await DimseClient.associate({ port: receiver.port, callingTitle, proposals, roles });
  expect(unit?.type).toBe(2);
  open.push(client);
  return client;
}

/** An identifier in Explicit VR Little Endian; keys are eight hexadecimal digits and the VR. */
function encodeIdentifier(keys: Record<string, string>): Buffer {
  const rows = Object.entries(keys).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Buffer.concat(
    rows.map(([key, text]) => {
      const [tag = "", vr = ""] = key.split(" ");
      const value = Buffer.from(text);
      const padded = value.length % 2 === 0 ? value : Buffer.concat([value, Buffer.from(vr === "UI" ? "\0" : " ")]);
      const header = Buffer.alloc(8);
      header.writeUInt16LE(Number.parseInt(tag.slice(0, 4), 16), 0);
      header.writeUInt16LE(Number.parseInt(tag.slice(4), 16), 2);
      header.write(vr, 4, "latin1");
      header.writeUInt16LE(padded.length, 6);
      return Buffer.concat([header, padded]);
    }),
  );
}

async function find(client: DimseClient, model: string, keys: Record<string, string>) {
  const asked = { "00080005 CS": "ISO_IR 192", ...keys };
  const answers = await client.request(
    contextOf(model),
    { field: commands.find, sopClass: model },
    encodeIdentifier(asked),
  );
  const last = answers.at(-1);
  const found = answers.flatMap(({ data }): StandaloneDataSet[] =>
    data ? [readDataSet(data, { explicit: true })] : [],
  );
  return { status: last?.command.status, comment: last?.command.comment, found: found.map(({ item }) => item) };
}
const studyKeys = { "00080052 CS": "STUDY", "0020000D UI": "", "00100010 PN": "", "00201208 IS": "" };

describe("a workstation that searches", () => {
  it("finds studies by wildcards in any case, by dates, by lists of UIDs and in Chinese", async () => {
    const client = await connectAs("WS1");
    const searches: Record<string, string>[] = [
      { "00100010 PN": "wang*" },
      { "00100010 PN": "王*" },
      { "0020000D UI": `1.2.3\\${study}` },
      { "00100030 DA": "19891231-19900102" },
      { "00080061 CS": "CT" },
    ];
    for (const keys of searches) {
      const { status, found } = await find(client, studyRootFind, { ...studyKeys, ...keys });
      expect([status, found.length], JSON.stringify(keys)).toEqual([statusCodes.success, 1]);
      expect(found[0]?.text("x0020000d")).toBe(study);
      expect(found[0]?.text("x00100010")).toBe("Wang^Xiaoming=王^小明");
      expect(found[0]?.text("x00201208")).toBe("4");
      expect(found[0]?.text("x00080054")).toBe("ARCADA");
    }
    expect((await find(client, studyRootFind, { ...studyKeys, "00100010 PN": "Li*" })).found).toEqual([]);
  });

  it("finds patients, series and images below each other", async () => {
    const client = await connectAs("WS1");
    const patients = await find(client, patientRootFind, {
      "00080052 CS": "PATIENT",
      "00100020 LO": "",
      "00100010 PN": "WANG*",
    });
    expect(patients.found.length).toBe(1);
    const series = await find(client, studyRootFind, {
      "00080052 CS": "SERIES",
      "0020000D UI": study,
      "0020000E UI": "",
      "00080060 CS": "",
    });
    expect(series.found.map((one) => one.text("x00080060"))).toEqual(["CT"]);
    const images = await find(client, studyRootFind, {
      "00080052 CS": "IMAGE",
      "0020000D UI": study,
      "0020000E UI": series.found[0]?.text("x0020000e") ?? "",
      "00080018 UI": "",
      "00280010 US": "",
      "00200032 DS": "",
    });
    expect(images.found.length).toBe(4);
    expect(images.found[0]?.uint16("x00280010")).toBe(32);
    expect(images.found[0]?.numbers("x00200032").length).toBe(3);
  });

  it("is told why a search cannot be answered", async () => {
    const client = await connectAs("WS1");
    expect((await find(client, studyRootFind, { "00080052 CS": "PATIENT" })).status).toBe(statusCodes.otherThanSaid);
    expect((await find(client, studyRootFind, { ...studyKeys, "00080020 DA": "yesterday" })).status).toBe(
      statusCodes.otherThanSaid,
    );
    expect((await find(client, studyRootFind, {})).status).toBe(statusCodes.otherThanSaid);
  });

  it("finds nothing as a device without that right, and nothing of another clinic", async () => {
    const { unit, client } = await DimseClient.associate({ port: receiver.port, callingTitle: "CBCT1", proposals });
    open.push(client);
    // Presentation Context Item: number, result. 3: the abstract syntax is not supported.
    const results = [...(unit?.body ?? [])].flatMap((byte, at, body) =>
      byte === 0x21 && body[at + 1] === 0 && body[at + 5] === 0 ? [[body[at + 4], body[at + 6]]] : [],
    );
    expect(results.find(([id]) => id === contextOf(studyRootFind))?.[1]).toBe(3);
    expect(results.find(([id]) => id === contextOf(commitmentModel))?.[1]).toBe(0);
  });

  it("leaves a line in the access log of the patient", async () => {
    const client = await connectAs("WS1");
    await retrieve(client, { "00080052 CS": "STUDY", "0020000D UI": study });
    const [{ id: patientId } = { id: "" }] = (await env.clinic.call("patient.list", {})).list;
    const { list } = await env.clinic.call("trail.list", { patient: patientId });
    expect(list.some(({ action }) => action === "study.read")).toBe(true);
  });
});

/** C-GET: stores what arrives, and returns the data sets with the last response. */
async function retrieve(client: DimseClient, keys: Record<string, string>) {
  const objects: Buffer[] = [];
  const answers = await client.request(
    contextOf(studyRootGet),
    { field: commands.get, sopClass: studyRootGet },
    encodeIdentifier(keys),
    ({ data }: DimseMessage) => {
      if (data) objects.push(data);
      return statusCodes.success;
    },
  );
  return { status: answers.at(-1)?.command.status, objects };
}

describe("a workstation that retrieves", () => {
  it("gets the objects of a study by C-GET byte for byte", async () => {
    const client = await connectAs("WS1");
    const { status, objects } = await retrieve(client, { "00080052 CS": "STUDY", "0020000D UI": study });
    expect([status, objects.length]).toEqual([statusCodes.success, 4]);
    const ends = files.map((file) => Buffer.from(file.subarray(-500)).toString("base64")).toSorted();
    expect(objects.map((object) => object.subarray(-500).toString("base64")).toSorted()).toEqual(ends);
  });

  it("is refused a C-MOVE to a title that is no destination of the clinic", async () => {
    const client = await connectAs("WS1");
    const answers = await client.request(
      contextOf(studyRootMove),
      { field: commands.move, sopClass: studyRootMove, destination: "ELSEWHERE" },
      encodeIdentifier({ "00080052 CS": "STUDY", "0020000D UI": study }),
    );
    expect(answers.at(-1)?.command.status).toBe(statusCodes.unknownDestination);
  });
});

it("a device is told which of its objects are safely stored, over the association of its request", async () => {
  const client = await connectAs("CBCT1");
  const { sopInstanceUid } = readDicomHeader(readDicom(files[0]));
  const item = (uid: string) => encodeIdentifier({ "00081150 UI": ctImage, "00081155 UI": uid });
  const items = [sopInstanceUid, "1.2.3.4"].map((uid) => {
    const body = item(uid);
    const header = Buffer.from([0xfe, 0xff, 0x00, 0xe0, 0, 0, 0, 0]);
    header.writeUInt32LE(body.length, 4);
    return Buffer.concat([header, body]);
  });
  const sequence = Buffer.from([0x08, 0, 0x99, 0x11, 0x53, 0x51, 0, 0, 0, 0, 0, 0]);
  sequence.writeUInt32LE(Buffer.concat(items).length, 8);
  const reports: DimseMessage[] = [];
  const [answer] = await client.request(
    contextOf(commitmentModel),
    { field: commands.action, sopClass: commitmentModel, sopInstance: commitmentInstance, type: 1 },
    Buffer.concat([encodeIdentifier({ "00081195 UI": "1.2.840.99" }), sequence, ...items]),
  );
  expect(answer?.command.status).toBe(statusCodes.success);
  reports.push(await client.readMessage());
  const { item: report } = readDataSet(reports[0]?.data ?? Buffer.alloc(0), { explicit: true });
  expect(reports[0]?.command).toMatchObject({ field: commands.eventReport, type: 2 });
  expect(report.sequence("x00081199").map((one) => one.text("x00081155"))).toEqual([sopInstanceUid]);
  expect(report.sequence("x00081198").map((one) => one.uint16("x00081197"))).toEqual([0x0112]);
});

it.skipIf(!isToolInstalled("getscu"))("DCMTK's findscu and getscu are supported", async ({ onTestFinished }) => {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-getscu-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const run = promisify(execFile);
  const to = ["-aet", "WS1", "-aec", "ARCADA", "127.0.0.1", String(receiver.port)];
  const keys = ["-k", "QueryRetrieveLevel=STUDY", "-k", "PatientName=wang*", "-k", "StudyInstanceUID"];
  const said = await run("findscu", ["-S", "-v", ...keys, ...to]);
  expect(`${said.stdout}${said.stderr}`).toContain(study);
  await run("getscu", [
    "-S",
    "-od",
    folder,
    "-k",
    "QueryRetrieveLevel=STUDY",
    "-k",
    `StudyInstanceUID=${study}`,
    ...to,
  ]);
  expect(readdirSync(folder).length).toBe(4);
  expect(
    readDicomHeader(readDicom(readFileSync(path.join(folder, readdirSync(folder)[0] ?? "")))).studyInstanceUid,
  ).toBe(study);
  writeFileSync(path.join(folder, "done"), "");
});
