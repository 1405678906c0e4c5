import { createHash } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { readDicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { DicomwebClient } from "@arcada/testing/clients/dicomweb-client";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";

const wang = { id: "P-18", name: "Wang^Li", sex: "F", birthDate: "19850505" } as const;
const size = { columns: 32, rows: 32, slices: 6, voxel: 4 };
const slices = [...createCbctFiles(makeHead("frames"), wang, { size })].map(({ bytes }) => readDicom(bytes));
const headers = slices.map((file) => readDicomHeader(file));
const [{ studyInstanceUid, seriesInstanceUid }] = headers as [(typeof headers)[0]];
const frameOf = (place: number): string =>
  `/studies/${studyInstanceUid}/series/${seriesInstanceUid}/instances/${headers[place].sopInstanceUid}/frames/1`;
const sum = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

let env: TestSetup;
let viewer: DicomwebClient;
let study: string;
beforeAll(async () => {
  env = await setup();
  viewer = new DicomwebClient(env.clinic);
  const files = Object.fromEntries(slices.map(({ dataSet }, place) => [`I${place}`, dataSet.byteArray]));
  const patient = await createPatient(env.clinic);
  await uploadStudy(env.clinic, patient, files, { acceptMismatch: true });
  await viewer.waitForResults("/studies", 1);
  study = (await env.clinic.call("study.list", { patientId: patient }))[0].id;
});

const reads = async (by: DicomwebClient, place: number): Promise<string | number> => {
  const answer = await by.request(frameOf(place), "application/octet-stream");
  return answer.ok ? sum(new Uint8Array(await answer.arrayBuffer())) : answer.status;
};
/**
 * Reads without end; returns the time between `end` and the last request that still returned a frame, in milliseconds.
 */
async function requestAfterDelay(by: DicomwebClient, end: () => Promise<unknown>): Promise<number> {
  await reads(by, 0);
  expect(await reads(by, 0)).toHaveLength(64);
  await end();
  const ended = performance.now();
  for (let last = 0; ;) {
    // A request counts by the time at which it was sent: the duration of its response depends on the machine.
    const sent = performance.now() - ended;
    if (sent > 5000 || typeof (await reads(by, 0)) === "number") return last;
    last = sent;
  }
}

describe("a series that is read frame by frame, repeatedly", () => {
  it("returns each reader their own pixels, returns nothing to other users, and writes one audit log entry", async () => {
    const expected = slices.map((file) => sum(present(file.rawValue("x7fe00010"))));
    const stranger = new DicomwebClient((await setup()).clinic);
    for (let round = 0; round < 3; round++) {
      const seen = await Promise.all(slices.map((_, place) => reads(viewer, place)));
      expect(seen).toEqual(expected);
      expect(await reads(stranger, round)).toBe(404);
    }
    const { rows } = await env.server.running.database.asSystem((db) =>
      sql<{
        user_id: string;
      }>`select user_id from audit where action = 'study.read' and institution_id = ${env.clinic.iid}`.execute(db),
    );
    expect(rows).toEqual([{ user_id: env.clinic.uid }]);
  });

  it("closes within a second for a reader who signs out, and for all when it moves to the bin", async () => {
    const colleague = await env.server.createUser("clinicMember", { id: env.clinic.iid });
    const leaving = await requestAfterDelay(new DicomwebClient(colleague), () => colleague.call("account.logout", {}));
    expect(leaving).toBeLessThan(1000);
    const removed = await requestAfterDelay(viewer, () => env.clinic.call("study.remove", { id: study }));
    expect(removed).toBeLessThan(1000);
  });
});
