import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { DicomwebClient } from "@arcada/testing/clients/dicomweb-client";
import { createPatient, waitForIngestJob } from "@arcada/testing/fixtures/uploads";
import { isToolInstalled } from "@arcada/testing/peers/dcmtk";
import { hasDicomWeb, startOrthanc, type Orthanc } from "@arcada/testing/peers/orthanc";
import { tlsCertificate } from "@arcada/testing/peers/tls-certificate";
import { present } from "@arcada/testing/require-present";
import { getTestServer, setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { listenForDicom } from "../../apps/server/src/dicom-port.ts";
import type { DimseReceiver } from "../../apps/server/src/dimse/receiver.ts";
import { readConfig } from "../../apps/server/src/platform/runtime/config.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-orthanc-proof-"));
const [cert, key] = [path.join(folder, "cert.pem"), path.join(folder, "key.pem")];
writeFileSync(cert, tlsCertificate.cert);
writeFileSync(key, tlsCertificate.key);
const tls = { DICOM_TLS_CERT: cert, DICOM_TLS_KEY: key, DICOM_TLS_CA: cert };
const slices = 16;

let env: TestSetup;
let receivers: DimseReceiver[];
let orthanc: Orthanc;
let secure: Orthanc;
let study: string;
let studyUid: string;
let patientNumber: string;
const sent = (seed: string, number: string) =>
  [
    ...createCbctFiles(
      makeHead(seed),
      { id: number, name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" },
      { size: { columns: 40, rows: 32, slices, voxel: 3 }, study: { key: seed, description: "CBCT" } },
    ),
  ].map(({ bytes }) => bytes);

const isInstalled = isToolInstalled("Orthanc");
beforeAll(async () => {
  if (!isInstalled) return;
  await getTestServer({ DICOM_NETWORKS: "127.0.0.0/8", ...tls });
  env = await setup();
  const patient = await createPatient(env.clinic);
  patientNumber = (await env.clinic.call("patient.detail", { id: patient })).number;
  const files = sent("orthanc", patientNumber);
  studyUid = readDicomHeader(readDicom(present(files[0]))).studyInstanceUid;
  const viewer = new DicomwebClient(env.clinic);
  await viewer.store(files);
  await viewer.waitForResults(`/studies/${studyUid}/instances`, slices);
  study = (await env.clinic.call("study.list", { patientId: patient }))[0]?.id ?? "";
  const port = {
    HOST: "127.0.0.1",
    DICOM_PORT: "0",
    DICOM_CALLING_AES: `ORTHANC=${env.clinic.iid},SECURE=${env.clinic.iid}`,
    DICOM_QUERY_AES: "ORTHANC,SECURE",
    DICOM_NETWORKS: "127.0.0.0/8",
  };
  const { database } = env.server.running;
  receivers = [
    present(await listenForDicom(readConfig(port), database)),
    present(await listenForDicom(readConfig({ ...port, ...tls }), database)),
  ];
  const [plainPort, securePort] = receivers.map((one) => one.port);
  const server = {
    Url: `${env.server.address}/dicomweb/`,
    HttpHeaders: { Authorization: `Bearer ${env.clinic.token}` },
  };
  orthanc = await startOrthanc("ORTHANC", {
    DicomModalities: { arcada: ["ARCADA", "127.0.0.1", plainPort] },
    DicomWeb: { Enable: true, Servers: { arcada: server } },
  });
  secure = await startOrthanc("SECURE", {
    DicomModalities: { arcada: { AET: "ARCADA", Host: "127.0.0.1", Port: securePort, UseDicomTls: true } },
    DicomTlsEnabled: true,
    DicomTlsCertificate: cert,
    DicomTlsPrivateKey: key,
    DicomTlsTrustedCertificates: cert,
  });
}, 120_000);
afterAll(async () => {
  if (!isInstalled) return;
  await Promise.all([orthanc.close(), secure.close(), ...receivers.map((one) => one.close())]);
  rmSync(folder, { recursive: true });
});

async function addDestination(title: string, port: number, isEncrypted: boolean): Promise<string> {
  const known = (await env.clinic.call("pacs.destinations", {})).find((one) => one.title === title);
  if (known) return known.id;
  const input = { name: title, title, host: "127.0.0.1", port, tls: isEncrypted };
  const { id } = await env.clinic.call("pacs.saveDestination", input);
  expect(await env.clinic.call("pacs.tryDestination", { id })).toMatchObject({ problem: null, detail: null });
  return id;
}
const plainDestination = () => addDestination("ORTHANC", orthanc.dicomPort, false);
async function send(destinationId: string, count = slices): Promise<void> {
  const { id } = await env.clinic.call("pacs.send", { studyId: study, destinationId });
  const read = async () => (await env.clinic.call("pacs.tasks", {})).list.find((one) => one.id === id);
  await expect.poll(async () => (await read())?.state, { timeout: 20_000 }).not.toMatch(/waiting|sending/);
  expect(await read()).toMatchObject({ state: "sent", problem: null, total: count, done: count });
}
const countInstances = async (peer: Orthanc): Promise<number> => (await peer.get<string[]>("/instances")).length;
async function clear(peer: Orthanc): Promise<void> {
  for (const id of await peer.get<string[]>("/patients")) await peer.remove(`/patients/${id}`);
}
/** Puts a study into Orthanc by its own interface, as if it had come from elsewhere. */
async function plant(peer: Orthanc, seed: string): Promise<string> {
  await clear(peer);
  const files = sent(seed, patientNumber);
  for (const bytes of files) await peer.post("/instances", bytes);
  return readDicomHeader(readDicom(present(files[0]))).studyInstanceUid;
}
describe.skipIf(!isInstalled)("Orthanc", { timeout: 90_000 }, () => {
  it("receives a study that Arcada sends, pixel for pixel", async () => {
    await send(await plainDestination());
    const ids = await orthanc.get<string[]>("/instances");
    expect(ids.length).toBe(slices);
    const own = sent("orthanc", patientNumber).map((bytes) => readDicom(bytes));
    for (const id of ids) {
      const theirs = readDicom(await orthanc.bytes(`/instances/${id}/file`));
      const { sopInstanceUid } = readDicomHeader(theirs);
      const same = present(own.find((one) => readDicomHeader(one).sopInstanceUid === sopInstanceUid));
      expect(Buffer.compare(present(theirs.rawValue("x7fe00010")), present(same.rawValue("x7fe00010")))).toBe(0);
    }
  });

  it("receives a study over TLS with certificates on both sides", async () => {
    await send(await addDestination("SECURE", secure.dicomPort, true));
    expect(await countInstances(secure)).toBe(slices);
  });

  it.each([["plain"], ["TLS"]])("finds a study in Arcada and has it moved: %s", async (way) => {
    const peer = way === "TLS" ? secure : orthanc;
    await (way === "TLS" ? addDestination("SECURE", secure.dicomPort, true) : plainDestination());
    await clear(peer);
    await peer.post("/modalities/arcada/echo", {});
    const query = await peer.post<{ ID: string }>("/modalities/arcada/query", {
      Level: "Study",
      Query: { PatientID: patientNumber, StudyInstanceUID: studyUid, PatientName: "wang*", ModalitiesInStudy: "" },
    });
    expect((await peer.get<string[]>(`/queries/${query.ID}/answers`)).length).toBe(1);
    const found = await peer.get<Record<string, { Value: string }>>(`/queries/${query.ID}/answers/0/content`);
    expect(found["0020,000d"]?.Value).toBe(studyUid);
    await peer.post(`/queries/${query.ID}/retrieve`, {
      TargetAet: way === "TLS" ? "SECURE" : "ORTHANC",
      Synchronous: true,
    });
    await expect.poll(() => countInstances(peer), { timeout: 20_000 }).toBe(slices);
  });

  it.each([["plain"], ["TLS"]])("sends a study to Arcada, which commits to keep it: %s", async (way) => {
    const peer = way === "TLS" ? secure : orthanc;
    await (way === "TLS" ? addDestination("SECURE", secure.dicomPort, true) : plainDestination());
    const uid = await plant(peer, `commit ${way}`);
    const { StorageCommitmentTransactionUID: transaction } = await peer.post<Record<string, string>>(
      "/modalities/arcada/store",
      { Resources: await peer.get<string[]>("/studies"), StorageCommitment: true, Synchronous: true },
    );
    await expect
      .poll(async () => (await peer.get<{ Status: string }>(`/storage-commitment/${transaction}`)).Status, {
        timeout: 30_000,
      })
      .toBe("Success");
    const viewer = new DicomwebClient(env.clinic);
    await viewer.waitForResults(`/studies/${uid}/instances`, slices);
  });
});

describe.skipIf(!isInstalled || !hasDicomWeb())("Orthanc's DICOMweb client", { timeout: 90_000 }, () => {
  it("retrieves a study from Arcada", async () => {
    await clear(orthanc);
    await orthanc.post("/dicom-web/servers/arcada/retrieve", {
      Resources: [{ Study: studyUid }],
      HttpHeaders: {},
      Synchronous: true,
    });
    await expect.poll(() => countInstances(orthanc), { timeout: 20_000 }).toBe(slices);
  });

  it("stores a study in Arcada", async () => {
    const uid = await plant(orthanc, "stow");
    await orthanc.post("/dicom-web/servers/arcada/stow", {
      Resources: await orthanc.get<string[]>("/studies"),
      Synchronous: true,
    });
    await new DicomwebClient(env.clinic).waitForResults(`/studies/${uid}/instances`, slices);
  });
});

describe.skipIf(!isInstalled)("a segmentation", { timeout: 90_000 }, () => {
  it("reaches Orthanc with its study", async () => {
    const { series } = await env.clinic.call("study.detail", { id: study });
    const volume = present(series.find(({ kind }) => kind === "volume"));
    const [x = 0, y = 0, z = 0] = present(volume.volume).origin;
    const canal = {
      id: "canal",
      tool: "canal" as const,
      instanceId: present(volume.instances[0]).id,
      plane: null,
      text: null,
      points: [
        [x + 40, y + 40, z + 3],
        [x + 60, y + 50, z + 12],
      ],
      settings: { diameter: 8, side: "right" },
    };
    const { version } = await env.clinic.call("study.saveMarks", { id: study, version: 0, marks: [canal] });
    const job = await env.clinic.call("study.segmentation", { id: study, seriesId: volume.id, version });
    expect(await waitForIngestJob(env.clinic, job.id)).toMatchObject({ state: "done", added: 1 });
    await new DicomwebClient(env.clinic).waitForResults(`/studies/${studyUid}/instances`, slices + 1);
    await clear(orthanc);
    await send(await plainDestination(), slices + 1);
    const found = await Promise.all(
      (await orthanc.get<string[]>("/series")).map((id) =>
        orthanc.get<{ MainDicomTags: Record<string, string> }>(`/series/${id}`),
      ),
    );
    expect(
      found.map(({ MainDicomTags }) => MainDicomTags.Modality).toSorted((a, b) => (a ?? "").localeCompare(b ?? "")),
    ).toEqual(["CT", "SEG"]);
  });
});
