import { beforeAll, expect, it } from "vitest";
import { makeRleImageFixture } from "@arcada/testing/images/dicom-images";
import { deriveUid, type DicomDataset } from "@arcada/imaging/dicom/write/write-dicom";
import { DicomwebClient } from "@arcada/testing/clients/dicomweb-client";
import { setup } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

const [rle, explicit] = ["1.2.840.10008.1.2.5", "1.2.840.10008.1.2.1"] as const;
const [study, series, uid] = [deriveUid("coded", "study"), deriveUid("coded", "series"), deriveUid("made", "coded")];
const place: DicomDataset = [
  [0x0020000d, "UI", study],
  [0x0020000e, "UI", series],
  [0x00100010, "PN", "Coded^One"],
];
const frames = [0, 1, 2].map((frame) => Array.from({ length: 8 }, (_, at) => frame * 1000 + at * 7));
const bytes = makeRleImageFixture(place, "coded", frames);
const instance = `/studies/${study}/series/${series}/instances/${uid}`;
const valuesOf = (body: Buffer): number[] => [...new Uint16Array(Uint8Array.from(body).buffer)];

let viewer: DicomwebClient;
beforeAll(async () => {
  const { clinic } = await setup();
  viewer = new DicomwebClient(clinic);
  expect((await viewer.store([bytes])).status).toBe(200);
  await viewer.waitForResults("/instances", 1);
});

const inParts = (type: string, syntax?: string) =>
  `multipart/related; type="${type}"${syntax ? `; transfer-syntax=${syntax}` : ""}`;
const requestFrame = async (at: string, accept: string) =>
  (await viewer.fetchParts(at, accept)).map(({ headers, body }) => ({ type: headers["Content-Type"], body }));

it("a viewer receives compressed frames decoded, or as stored if it accepts their transfer syntax", async () => {
  const plain = `application/octet-stream; transfer-syntax=${explicit}`;
  for (const accept of [
    inParts("application/octet-stream"),
    inParts("application/octet-stream", explicit),
    `${inParts("image/jpeg")};q=0.9, ${inParts("application/octet-stream")};q=0.1`,
  ]) {
    const some = await requestFrame(`${instance}/frames/3,1`, accept);
    expect(
      some.map(({ type, body }) => [type, valuesOf(body)]),
      accept,
    ).toEqual([
      [plain, frames[2]],
      [plain, frames[0]],
    ]);
  }
  // The encoded bytes of the second frame in the file.
  const second = Buffer.from(bytes.subarray(bytes.length - 8 - 84 - 8 - 84, bytes.length - 8 - 84 - 8));
  for (const [accept, type] of [
    [inParts("application/octet-stream", "*"), "application/octet-stream"],
    [inParts("application/octet-stream", rle), "application/octet-stream"],
    [inParts("image/dicom-rle"), "image/dicom-rle"],
    [inParts("image/*", rle), "image/dicom-rle"],
    [`${inParts("application/octet-stream")};q=0.2, ${inParts("image/dicom-rle")};q=0.8`, "image/dicom-rle"],
  ] as const) {
    const [frame] = await requestFrame(`${instance}/frames/2`, accept);
    expect([frame.type, frame.body.equals(second)], accept).toEqual([`${type}; transfer-syntax=${rle}`, true]);
  }
  const pixels = await requestFrame(`${instance}/bulkdata/7FE00010`, inParts("application/octet-stream"));
  expect(pixels.map(({ body }) => valuesOf(body))).toEqual(frames);
});

it("a file is sent in its stored transfer syntax, and a client that accepts none of the available ones receives 406 with a text", async () => {
  for (const syntax of ["*", rle, undefined]) {
    const [file] = await requestFrame(instance, inParts("application/dicom", syntax));
    expect([file.type, file.body.equals(Buffer.from(bytes))]).toEqual([
      `application/dicom; transfer-syntax=${rle}`,
      true,
    ]);
  }
  for (const [at, accept] of [
    [instance, inParts("application/dicom", explicit)],
    [`${instance}/frames/1`, inParts("image/jls")],
    [`${instance}/frames/1`, inParts("application/octet-stream", "1.2.840.10008.1.2.4.50")],
    // Several frames, each in a separate part.
    [`${instance}/frames/1,2`, "application/octet-stream"],
    [`${instance}/rendered`, "image/gif"],
  ] as const) {
    const answer = await viewer.request(at, accept);
    const said = (await answer.json()) as { code: number; msg: string };
    expect([answer.status, refusalOf(said), said.msg.length > 10], accept).toEqual([406, "notAcceptable", true]);
  }
  const [described] = await viewer.search(`${instance}/metadata`);
  expect(described).toMatchObject({ "00083002": { Value: [rle] }, "00280008": { Value: [3] } });
  expect((await viewer.request(`${instance}/frames/4`, inParts("application/octet-stream"))).status).toBe(404);
  expect((await viewer.request(`${instance}/frames/3/rendered`, "image/png")).status).toBe(200);
});
