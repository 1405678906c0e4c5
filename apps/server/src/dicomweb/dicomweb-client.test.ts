import { api } from "dicomweb-client";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { readDicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { DicomwebClient } from "@arcada/testing/clients/dicomweb-client";
import { getTestServer, setup, type TestUser } from "@arcada/testing/setup/test-server";
import { XmlHttpRequest } from "@arcada/testing/clients/xml-http-request";
import { present } from "@arcada/testing/require-present";

/** The part of the client that the test uses. The client's own types require more than it needs. */
interface Peer {
  storeInstances(wish: { datasets: ArrayBuffer[] }): Promise<unknown>;
  searchForStudies(wish: { queryParams: Record<string, string> }): Promise<object[]>;
  searchForSeries(wish: typeof ids): Promise<object[]>;
  searchForInstances(wish: typeof ids): Promise<object[]>;
  retrieveStudyMetadata(wish: typeof ids): Promise<object[]>;
  retrieveInstanceMetadata(wish: typeof ids): Promise<object[]>;
  retrieveInstance(wish: typeof ids): Promise<ArrayBuffer>;
  retrieveSeries(wish: typeof ids): Promise<ArrayBuffer[]>;
  retrieveInstanceFrames(wish: typeof ids & { frameNumbers: string[] }): Promise<ArrayBuffer[]>;
  retrieveInstanceRendered(wish: typeof ids & { mediaTypes: { mediaType: string }[] }): Promise<ArrayBuffer[]>;
}

const viewerOrigin = "https://viewer.test";
const person = { id: "P-9", name: "Li^Na=李^娜", sex: "F", birthDate: "19850607" } as const;
const size = { columns: 32, rows: 32, slices: 4, voxel: 4 };
const files = [...createCbctFiles(makeHead("peer"), person, { size })].map(({ bytes }) => Uint8Array.from(bytes));
const header = readDicomHeader(readDicom(files[1]));
const ids = {
  studyInstanceUID: header.studyInstanceUid,
  seriesInstanceUID: header.seriesInstanceUid,
  sopInstanceUID: header.sopInstanceUid,
};
let clinic: TestUser;
let base: string;
beforeAll(async () => {
  vi.stubGlobal("XMLHttpRequest", XmlHttpRequest);
  await getTestServer({ DICOMWEB_ORIGINS: viewerOrigin });
  ({ clinic } = await setup());
  base = new DicomwebClient(clinic).base;
});

describe("the client that other viewers are built on (dicomweb-client)", () => {
  it("stores, finds and reads", { timeout: 60_000 }, async () => {
    const headers = { Authorization: `Bearer ${clinic.token}` };
    const client = new api.DICOMwebClient({ url: base, headers, singlepart: "" }) as unknown as Peer;
    await client.storeInstances({ datasets: files.map((bytes) => bytes.buffer) });
    await new DicomwebClient(clinic).waitForResults("/instances", 4);
    const [study] = await client.searchForStudies({ queryParams: { PatientName: "Li^Na", limit: "5" } });
    expect(study).toMatchObject({ "0020000D": { Value: [ids.studyInstanceUID] } });
    expect(await client.searchForSeries(ids)).toHaveLength(1);
    expect(await client.searchForInstances(ids)).toHaveLength(4);
    expect(await client.retrieveStudyMetadata(ids)).toHaveLength(4);
    const [described] = await client.retrieveInstanceMetadata(ids);
    expect(described).toMatchObject({ "00280010": { Value: [32] } });
    const whole = await client.retrieveInstance(ids);
    expect(Buffer.compare(Buffer.from(whole), files[1])).toBe(0);
    expect(await client.retrieveSeries(ids)).toHaveLength(4);
    const [frame] = await client.retrieveInstanceFrames({ ...ids, frameNumbers: ["1"] });
    expect(Buffer.compare(Buffer.from(frame), present(readDicom(files[1]).rawValue("x7fe00010")))).toBe(0);
    const [drawn] = await client.retrieveInstanceRendered({ ...ids, mediaTypes: [{ mediaType: "image/png" }] });
    expect(Buffer.from(drawn).toString("latin1", 1, 4)).toBe("PNG");
  });

  it("asks from the origins that the operator names, and from no other", async () => {
    const context = (origin: string, method: string) =>
      fetch(`${base}/studies`, { method, headers: { origin, authorization: `Bearer ${clinic.token}` } });
    const preflight = await context(viewerOrigin, "OPTIONS");
    expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
      204,
      expect.stringContaining("authorization"),
    ]);
    const own = await context(viewerOrigin, "GET");
    expect([own.status, own.headers.get("access-control-allow-origin")]).toEqual([200, viewerOrigin]);
    expect(own.headers.get("access-control-allow-credentials")).toBeNull();
    const refused = await fetch(`${base}/studies`, { headers: { origin: viewerOrigin } });
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, viewerOrigin]);
    for (const method of ["OPTIONS", "GET"])
      expect(
        (await context("https://viewer.test.evil.test", method)).headers.get("access-control-allow-origin"),
      ).toBeNull();
  });
});

it("a file that could also be run as a program loses that on its way out, and nothing else", async () => {
  const twin = [...createCbctFiles(makeHead("program"), { ...person, id: "P-10" }, { size })].map(({ bytes }) =>
    Uint8Array.from(bytes),
  );
  const program = Uint8Array.from(twin[0]);
  program.set(new TextEncoder().encode("MZ#!/bin/sh\n"), 0);
  const viewer = new DicomwebClient(clinic);
  const { studyInstanceUid } = readDicomHeader(readDicom(program));
  expect((await viewer.store([program])).status).toBe(200);
  await viewer.waitForResults(`/studies/${studyInstanceUid}/instances`, 1);
  const [part] = await viewer.fetchParts(`/studies/${studyInstanceUid}`, 'multipart/related; type="application/dicom"');
  expect(Buffer.compare(part.body, twin[0])).toBe(0);
});
