import { beforeAll, describe, expect, it } from "vitest";
import { makeImageFixture } from "@arcada/testing/images/dicom-images";
import { deriveUid, writeDicom, type DicomDataset } from "@arcada/imaging/dicom/write/write-dicom";
import type { Study } from "@arcada/contract/study/study.schema";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { toStudy } from "../../study/study.view.ts";
import { loadStudyParts } from "../../study/study.store.ts";
import { present } from "@arcada/testing/require-present";

const study = deriveUid("shown", "study");
const place: DicomDataset = [
  [0x0020000d, "UI", study],
  [0x0020000e, "UI", deriveUid("shown", "series")],
];
const bytesOf = (change: DicomDataset, name: string) => makeImageFixture([...place, ...change], name).bytes;

const overlay: DicomDataset = [
  [0x60000010, "US", 2],
  [0x60000011, "US", 4],
  [0x60000050, "SS", [1, 1]],
  [0x60000100, "US", 1],
  [0x60000102, "US", 0],
  [0x60003000, "OW", Uint16Array.of(0b1000_0001)],
];

const state = (image: string): Uint8Array =>
  writeDicom(
    [
      [0x00080060, "CS", "PR"],
      [0x0020000d, "UI", study],
      [0x0020000e, "UI", deriveUid("shown", "states")],
      [0x00081115, "SQ", [[[0x00081140, "SQ", [[[0x00081155, "UI", deriveUid("made", image)]]]]]]],
      [0x00181600, "CS", "RECTANGULAR"],
      [
        0x00283110,
        "SQ",
        [
          [
            [0x00281050, "DS", "350"],
            [0x00281051, "DS", "300"],
            [0x00281056, "CS", "SIGMOID"],
          ],
        ],
      ],
      [
        0x00700001,
        "SQ",
        [
          [
            [
              0x00700008,
              "SQ",
              [
                [
                  [0x00700004, "CS", "PIXEL"],
                  [0x00700006, "ST", "Wang, see here"],
                  [0x00700014, "FL", [1, 1.5]],
                ],
              ],
            ],
          ],
        ],
      ],
      [0x00700080, "CS", "BONE"],
      [0x20500020, "CS", "INVERSE"],
    ],
    { sopClassUid: "1.2.840.10008.5.1.4.1.1.11.1", sopInstanceUid: deriveUid("state", image) },
  );

let env: TestSetup;
beforeAll(async () => void (env = await setup()));
const fetched = async (url: string): Promise<Buffer> => {
  const response = await fetch(new URL(url, env.server.address));
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
};
const imageIn = ({ series }: Study) =>
  present(
    series.flatMap(({ instances }) => instances).find(({ picture: image }) => image !== null)?.picture,
    "picture",
  );

describe("an image with display settings in its file", () => {
  it("comes with every frame, its overlay and the scale of its values", async () => {
    const { clinic } = env;
    const frames = bytesOf(
      [
        [0x00280008, "IS", "2"],
        [0x00281053, "DS", "0.01"],
        [0x7fe00010, "OW", Uint16Array.from({ length: 16 }, (_, at) => at * 100)],
        ...overlay,
      ],
      "frames",
    );
    const job = await uploadStudy(clinic, await createPatient(clinic), { "frames.dcm": frames });
    expect(job).toMatchObject({ state: "done", refused: [] });
    const image = imageIn(await clinic.call("study.detail", { id: job.studies[0] }));
    expect(image).toMatchObject({
      valueScale: 0.01,
      valueOffset: 0,
      min: 0,
      max: 1500,
      presentation: null,
    });
    expect(image.frames).toHaveLength(2);
    const files = await Promise.all(image.frames.map(fetched));
    expect(files.map((file) => [file.length, file.readUInt16LE(2)])).toEqual([
      [16, 100],
      [16, 900],
    ]);
    const overlays = await Promise.all(image.overlays.map(fetched));
    expect(overlays.map((file) => [...file])).toEqual([[0b1000_0001], [0b1000_0001]]);
    expect(await seenMasked(job.studies[0])).toMatchObject({
      frames: [expect.any(String), expect.any(String)],
      overlays: [],
    });
  });

  /** Reads as a user who knows the patient by a masked name: annotations drawn over an image may contain a name. */
  const seenMasked = (id: string, { server } = env) =>
    server.running.database.asSystem(async (db) => {
      const row = await db.selectFrom("study").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
      const reader = { sign: () => "address", owns: false, masked: true, clean: null, mayTake: () => false };
      return imageIn(
        toStudy({ study: row, patientName: "王**", fileName: null, ...(await loadStudyParts(db, row)) }, reader),
      );
    });

  it("follows its presentation state, also one that arrives later, and reports which parts are not applied", async () => {
    const own = await setup();
    const { clinic } = own;
    const patient = await createPatient(clinic);
    const first = await uploadStudy(clinic, patient, { "picture.dcm": bytesOf([], "plain") });
    const [id] = first.studies;
    const before = imageIn(await clinic.call("study.detail", { id: id }));
    expect(before).toMatchObject({ inverted: false, presentation: null });
    const second = await uploadStudy(clinic, patient, { "state.dcm": state("plain") });
    expect(second).toMatchObject({ state: "done", refused: [], studies: [id] });
    const after = await clinic.call("study.detail", { id: id });
    expect(imageIn(after)).toMatchObject({
      inverted: true,
      window: { center: 350, width: 300, shape: "sigmoid" },
      presentation: {
        label: "BONE",
        notApplied: ["shutter"],
        drawn: { words: [{ words: "Wang, see here", at: [1, 1.5], frames: [] }] },
      },
    });
    expect((await seenMasked(id, own)).presentation).toMatchObject({ label: "", drawn: { graphics: [], words: [] } });
    expect(after).toMatchObject({ state: "ready", count: 2 });
    expect(after.series.map(({ problems }) => problems)).toEqual([[], [{ code: "presentation", detail: "BONE" }]]);
    // The state itself is kept byte for byte.
    const [kept] = after.series[1].instances;
    expect(Buffer.compare(await fetched(present(kept.originalUrl, "originalUrl")), state("plain"))).toBe(0);
  });
});

describe("a name in another character set than its file declares", () => {
  it("is shown as a guess to the institution that took the study", async () => {
    const { clinic } = await setup();
    const patient = await createPatient(clinic);
    const bytes = Buffer.from(bytesOf([[0x00100010, "PN", "Wang^XXXX"]], "name"));
    // 小明 in GBK, in a file that declares no character set.
    Buffer.from([0xd0, 0xa1, 0xc3, 0xf7]).copy(bytes, bytes.indexOf("XXXX"));
    const job = await uploadStudy(clinic, patient, { "name.dcm": bytes }, { acceptMismatch: true });
    const found = await clinic.call("study.detail", { id: job.studies[0] });
    expect(found.named).toEqual({ name: "Wang 小明", guessed: true });
    expect(found.header.map(({ key }) => key)).not.toContain("PatientNameGuessed");
  });
});
