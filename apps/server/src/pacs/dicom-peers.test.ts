import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeDicom } from "@arcada/imaging/dicom/write/write-dicom";
import { DicomwebClient } from "@arcada/testing/clients/dicomweb-client";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { makeRleImageFixture } from "@arcada/testing/images/dicom-images";
import { isToolInstalled, startStorescp, type Storescp } from "@arcada/testing/peers/dcmtk";
import { tlsCertificate } from "@arcada/testing/peers/tls-certificate";
import { present } from "@arcada/testing/require-present";
import { getTestServer, setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { listenForDicom } from "../dicom-port.ts";
import type { DimseReceiver } from "../dimse/receiver.ts";
import { readConfig } from "../platform/runtime/config.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-dicom-peers-"));
const [cert, key] = [path.join(folder, "cert.pem"), path.join(folder, "key.pem")];
writeFileSync(cert, tlsCertificate.cert);
writeFileSync(key, tlsCertificate.key);
afterAll(() => rmSync(folder, { recursive: true }));
const tls = { DICOM_TLS_CERT: cert, DICOM_TLS_KEY: key, DICOM_TLS_CA: cert };

/** Two frames that only a decoder can turn into plain values, and a report without pixels. */
const [studyUid, reportUid] = ["2.25.81001", "2.25.81005"];
const frames = [
  [0, 1, 2, 3, 4, 5, 6, 65_535],
  [9, 8, 7, 6, 5, 4, 3, 2],
];
let env: TestSetup;
let receiver: DimseReceiver;
let study: string;
let report: string;
beforeAll(async () => {
  await getTestServer({ DICOM_NETWORKS: "127.0.0.0/8", ...tls });
  env = await setup();
  const patient = await createPatient(env.clinic);
  const { number } = await env.clinic.call("patient.detail", { id: patient });
  const about = [
    [0x00100010, "PN", "Wang^Xiaoming"],
    [0x00100020, "LO", number],
    [0x00100030, "DA", "19900101"],
    [0x00100040, "CS", "M"],
  ] as const;
  const image = makeRleImageFixture(
    [...about, [0x00080060, "CS", "OT"], [0x0020000d, "UI", studyUid], [0x0020000e, "UI", "2.25.81002"]],
    "peers",
    frames,
  );
  const text = writeDicom(
    [
      ...about,
      [0x00080060, "CS", "SR"],
      [0x0020000d, "UI", reportUid],
      [0x0020000e, "UI", "2.25.81006"],
      [0x0040a040, "CS", "CONTAINER"],
      [
        0x0040a730,
        "SQ",
        [
          [
            [0x0040a040, "CS", "TEXT"],
            [0x0040a160, "UT", "Third molar 王"],
          ],
        ],
      ],
    ],
    { sopClassUid: "1.2.840.10008.5.1.4.1.1.88.11", sopInstanceUid: "2.25.81007", charset: "ISO_IR 192" },
  );
  const viewer = new DicomwebClient(env.clinic);
  expect((await viewer.store([image])).status).toBe(200);
  expect((await viewer.store([text])).status).toBe(200);
  await viewer.waitForResults(`/studies/${studyUid}/instances`, 1);
  await viewer.waitForResults(`/studies/${reportUid}/instances`, 1);
  const studies = await env.clinic.call("study.list", { patientId: patient });
  report = studies.find(({ kind }) => kind === "document")?.id ?? "";
  study = studies.find(({ id }) => id !== report)?.id ?? "";
  receiver = present(
    await listenForDicom(
      readConfig({
        HOST: "127.0.0.1",
        DICOM_PORT: "0",
        DICOM_CALLING_AES: `WS1=${env.clinic.iid},CBCT1=${env.clinic.iid}`,
        DICOM_QUERY_AES: "WS1",
        DICOM_WORKLIST_AES: "CBCT1=CT",
        DICOM_NETWORKS: "127.0.0.0/8",
      }),
      env.server.running.database,
    ),
  );
}, 60_000);
afterAll(() => receiver.close());

async function addDestination(title: string, port: number, isEncrypted = false): Promise<string> {
  const input = { name: title, title, host: "127.0.0.1", port, tls: isEncrypted };
  const { id } = await env.clinic.call("pacs.saveDestination", input);
  await expect
    .poll(async () => (await env.clinic.call("pacs.tryDestination", { id })).detail, { timeout: 10_000 })
    .toBeNull();
  return id;
}
async function send(studyId: string, destinationId: string): Promise<void> {
  const { id } = await env.clinic.call("pacs.send", { studyId, destinationId });
  const read = async () => (await env.clinic.call("pacs.tasks", {})).list.find((one) => one.id === id);
  await expect.poll(async () => (await read())?.state, { timeout: 20_000 }).not.toMatch(/waiting|sending/);
  expect(await read()).toMatchObject({ state: "sent", problem: null, total: 1, done: 1 });
}
const run = promisify(execFile);
const callAs = (title: string) => ["-aet", title, "-aec", "ARCADA", "127.0.0.1", String(receiver.port)];

describe.skipIf(!isToolInstalled("storescp"))("DCMTK's programs", { timeout: 60_000 }, () => {
  const start = async (title: string, options: string[], after: (close: () => void) => void): Promise<Storescp> => {
    const storescp = await startStorescp(title, options);
    after(storescp.close);
    return storescp;
  };

  it("storescp without compression receives an image decoded, in implicit values", async ({ onTestFinished }) => {
    const storescp = await start("IMPLICIT", ["+xi"], onTestFinished);
    await send(study, await addDestination("IMPLICIT", storescp.port));
    const [text] = storescp.dump();
    expect(text).toContain("=LittleEndianImplicit");
    expect(text).toMatch(/\(7fe0,0010\) OW 0000\\0001\\0002\\0003\\0004\\0005\\0006\\ffff\\0009\\0008/);
  });

  it("storescp with compression receives an image as it is stored", async ({ onTestFinished }) => {
    const storescp = await start("RLE", ["+xr"], onTestFinished);
    await send(study, await addDestination("RLE", storescp.port));
    expect(storescp.dump()[0]).toContain("=RLELossless");
  });

  it("movescu has a study sent to storescp, and a report without pixels too", async ({ onTestFinished }) => {
    const storescp = await start("MOVED", [], onTestFinished);
    await addDestination("MOVED", storescp.port);
    for (const uid of [studyUid, reportUid]) {
      const keys = ["-k", "QueryRetrieveLevel=STUDY", "-k", `StudyInstanceUID=${uid}`];
      const said = await run("movescu", ["-d", "-S", "-aem", "MOVED", ...keys, ...callAs("WS1")]);
      expect(`${said.stdout}${said.stderr}`).toMatch(/Completed Suboperations\s*: 1/);
    }
    const dumped = storescp.dump().join("\n");
    expect(dumped).toContain(studyUid);
    expect(dumped).toContain("[Third molar 王]");
  });

  it("movescu is told that a destination does not listen", async () => {
    await env.clinic.call("pacs.saveDestination", {
      name: "SILENT",
      title: "SILENT",
      host: "127.0.0.1",
      port: 1,
      tls: false,
    });
    const keys = ["-k", "QueryRetrieveLevel=STUDY", "-k", `StudyInstanceUID=${studyUid}`];
    const said = await run("movescu", ["-d", "-S", "-aem", "SILENT", ...keys, ...callAs("WS1")]).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    expect(`${said.stdout}${said.stderr}`).toMatch(/a702|0xa702/i);
  });

  it("storescp over TLS with certificates on both sides receives a study", async ({ onTestFinished }) => {
    const storescp = await start("SECURE", ["+tls", key, cert, "+cf", cert, "-rc"], onTestFinished);
    await send(report, await addDestination("SECURE", storescp.port, true));
    expect(storescp.dump()[0]).toContain("[Third molar 王]");
  });

  it("findscu reads the work list of its clinic", async () => {
    const { id } = await env.clinic.call("patient.list", {}).then(({ list }) => present(list[0]));
    const { number } = await env.clinic.call("patient.detail", { id });
    const step = "ScheduledProcedureStepSequence[0].";
    const keys = ["PatientName", `PatientID=${number}`, `${step}Modality=CT`, `${step}ScheduledStationAETitle`];
    const said = await run("findscu", ["-W", "-v", ...keys.flatMap((one) => ["-k", one]), ...callAs("CBCT1")]);
    const text = `${said.stdout}${said.stderr}`;
    expect(text).toContain(number);
    expect(text).toMatch(/ScheduledStationAETitle/);
    expect(text).toMatch(/\[CBCT1\s*\]/);
  });

  it("storescp without TLS is not reached over TLS", async ({ onTestFinished }) => {
    const storescp = await start("PLAIN", [], onTestFinished);
    const id = await addDestination("PLAIN", storescp.port);
    const input = { id, name: "PLAIN", title: "PLAIN", host: "127.0.0.1", port: storescp.port, tls: true };
    await env.clinic.call("pacs.saveDestination", input);
    const { problem } = await env.clinic.call("pacs.tryDestination", { id });
    expect(["tls", "network", "aborted"]).toContain(problem);
  });
});
