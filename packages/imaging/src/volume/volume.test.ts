import { describe, expect, it } from "vitest";
import { readDicom } from "../dicom/parse/read-dicom.ts";
import { deriveUid, writeDicom, type DicomDataset } from "../dicom/write/write-dicom.ts";
import { readDicomHeader } from "../dicom/parse/dicom-header.ts";
import { groupSeries } from "./find-volumes-in-series.ts";
import { makeSliceFixture } from "@arcada/testing/images/dicom-slices";
import { countPlanes, resliceAxial, resliceCoronal, resliceSagittal } from "./reslice.ts";
import { directionLetters, patientToVoxel, voxelToPatient } from "./voxel-to-patient.ts";
import { buildVolume } from "./build-volume.ts";

const eight = (change: (index: number) => object = () => ({})) =>
  Array.from({ length: 8 }, (_, index) =>
    makeSliceFixture({
      position: [10, 20, 30 + index * 0.3],
      values: [0, 1, 2, 3, 4, 5].map((value) => value + index * 10),
      ...change(index),
    }),
  );

describe("a volume", () => {
  it("holds the values of its slices and knows where it is", async () => {
    const { info, data } = await buildVolume(eight(() => ({ intercept: -1000 })));
    expect(info).toMatchObject({
      columns: 3,
      rows: 2,
      slices: 8,
      origin: [10, 20, 30],
      min: -1000,
      max: -925,
      valueOffset: 0,
      valueName: "grey",
    });
    expect(info.direction.map((value) => value + 0)).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    expect(data[6 * 7 + 5]).toBe(-1000 + 75);
  });

  it("keeps values above 32767 by an offset that it names", async () => {
    const { info, data } = await buildVolume(
      eight((index) => ({ signed: false, intercept: -1000, values: [0, 1, 2, 3, 4, index === 5 ? 60000 : 5] })),
    );
    expect(info.valueOffset).not.toBe(0);
    expect([data[0] + info.valueOffset, data[6 * 5 + 5] + info.valueOffset]).toEqual([-1000, 59000]);
    expect([info.min + info.valueOffset, info.max + info.valueOffset]).toEqual([-1000, 59000]);
  });

  it("has the same window when the number of its slices was not known before", async () => {
    const { info } = await buildVolume(eight());
    expect((await buildVolume(eight().values())).info.window).toEqual(info.window);
  });

  it("names its values HU for a hospital scanner only", async () => {
    expect((await buildVolume(eight(() => ({ maker: "SIEMENS" })))).info.valueName).toBe("HU");
    expect((await buildVolume(eight(() => ({ maker: "Dentsply Sirona" })))).info.valueName).toBe("grey");
  });

  it("maps a voxel to the patient and back", async () => {
    const [sin, cos] = [Math.sin(0.4), Math.cos(0.4)];
    const { info } = await buildVolume(
      eight((index) => ({ orientation: [cos, sin, 0, -sin, cos, 0], position: [10, 20, 30 + index * 0.3] })),
    );
    expect(voxelToPatient(info, [2, 0, 7]).map((value) => Number(value.toFixed(6)))).toEqual(
      [10 + 0.8 * cos, 20 + 0.8 * sin, 32.1].map((value) => Number(value.toFixed(6))),
    );
    expect(patientToVoxel(info, voxelToPatient(info, [1.5, 0.25, 3])).map((value) => Number(value.toFixed(6)))).toEqual(
      [1.5, 0.25, 3],
    );
  });

  it("is read out of one multi-frame file, its frames in any order", async () => {
    const file = multiFrame([2, 0, 1, 3, 4, 5, 6, 7]);
    const [group] = groupSeries([readDicomHeader(file)]);
    expect(group).toMatchObject({
      kind: "volume",
      frameOrder: [1, 2, 0, 3, 4, 5, 6, 7],
      spacing: [0.4, 0.5, 0.3].map((value) => expect.closeTo(value, 9)),
    });
    const { info, data } = await buildVolume([file]);
    expect(Array.from({ length: 8 }, (_, slice) => data[slice])).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(info.origin).toEqual([0, 0, 0]);
  });
  it("applies each frame's own slope, and states the scale of values that are not whole numbers", async () => {
    const slopes = places.map((index) => (index === 3 ? "0.5" : "0.25"));
    const { info, data } = await buildVolume([
      multiFrame(
        places,
        slopes.map((slope) => rescale(slope, "-1.5")),
      ),
    ]);
    expect([info.valueScale, info.valueOffset]).toEqual([0.25, -1.5]);
    const values = Array.from(data, (value) => value * info.valueScale + info.valueOffset);
    expect(values).toEqual([-1.5, -1.25, -1, 3 * 0.5 - 1.5, -0.5, -0.25, 0, 0.25]);
  });

  it("is not built from frames with several directions or at the same positions", () => {
    const turned: DicomDataset[] = places.map((index) => [
      [
        0x00209116,
        "SQ",
        [[[0x00200037, "DS", index < 4 ? ["1", "0", "0", "0", "1", "0"] : ["0", "1", "0", "0", "0", "-1"]]]],
      ],
    ]);
    const kinds = (file: ReturnType<typeof multiFrame>) =>
      groupSeries([readDicomHeader(file)]).map(({ kind, problems }) => [kind, ...problems.map(({ code }) => code)]);
    expect(kinds(multiFrame(places, turned))).toEqual([["pictures"]]);
    expect(kinds(multiFrame([...places, ...places]))).toEqual([["pictures", "duplicate"]]);
    expect(kinds(multiFrame(places))).toEqual([["volume"]]);
  });
});

const places = [0, 1, 2, 3, 4, 5, 6, 7];

const rescale = (slope: string, intercept: string): DicomDataset => [
  [
    0x00289145,
    "SQ",
    [
      [
        [0x00281052, "DS", intercept],
        [0x00281053, "DS", slope],
      ],
    ],
  ],
];

/** An Enhanced CT of 1 × 1 pixels; the value of a frame is its place. `own`: further elements of each frame's group. */
function multiFrame(places: readonly number[], own: readonly DicomDataset[] = []) {
  const shared: DicomDataset = [
    [0x00289110, "SQ", [[[0x00280030, "DS", ["0.5", "0.4"]]]]],
    [0x00209116, "SQ", [[[0x00200037, "DS", ["1", "0", "0", "0", "1", "0"]]]]],
  ];
  const frames: DicomDataset[] = places.map((index, at) => [
    ...(own[at] ?? []),
    [0x00209113, "SQ", [[[0x00200032, "DS", ["0", "0", String(index * 0.3)]]]]],
  ]);
  const dataset: DicomDataset = [
    [0x00080060, "CS", "CT"],
    [0x00280002, "US", 1],
    [0x00280004, "CS", "MONOCHROME2"],
    [0x00280008, "IS", String(places.length)],
    [0x00280010, "US", 1],
    [0x00280011, "US", 1],
    [0x00280100, "US", 16],
    [0x00280101, "US", 16],
    [0x00280102, "US", 15],
    [0x00280103, "US", 0],
    [0x52009229, "SQ", [shared]],
    [0x52009230, "SQ", frames],
    [0x7fe00010, "OW", Uint16Array.from(places)],
  ];
  return readDicom(
    writeDicom(dataset, { sopClassUid: "1.2.840.10008.5.1.4.1.1.2.1", sopInstanceUid: deriveUid("multi") }),
  );
}

describe("a plane of a volume", () => {
  // 2 × 2 × 2 voxels whose value is 100 for left, 10 for back, 1 for head.
  const shape = { columns: 2, rows: 2, slices: 2, spacing: [1, 2, 3] as [number, number, number] };
  const straight = { ...shape, direction: [1, 0, 0, 0, 1, 0, 0, 0, 1] as const };
  const values = Int16Array.of(0, 100, 10, 110, 1, 101, 11, 111);

  it("has the patient's left at its right, the back or the feet below, the back at the right of a side view", () => {
    const info = {
      ...straight,
      direction: [...straight.direction] as [number, number, number, number, number, number, number, number, number],
    };
    expect(resliceAxial(info, values, 1)).toMatchObject({
      data: Int16Array.of(1, 101, 11, 111),
      spacing: [1, 2],
      letters: { left: "R", right: "L", top: "A", bottom: "P" },
    });
    expect(resliceCoronal(info, values, 0)).toMatchObject({
      data: Int16Array.of(1, 101, 0, 100),
      spacing: [1, 3],
      letters: { top: "H", bottom: "F" },
    });
    expect(resliceSagittal(info, values, 1)).toMatchObject({
      data: Int16Array.of(101, 111, 100, 110),
      spacing: [2, 3],
      letters: { left: "A", right: "P" },
    });
  });

  it("shows the same patient when the scan was stored along other axes", () => {
    // Columns run to the feet, rows to the left, slices to the front.
    const turned = {
      ...shape,
      columns: 2,
      rows: 2,
      slices: 2,
      direction: [0, 0, -1, 1, 0, 0, 0, -1, 0] as [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
      ],
    };
    const stored = Int16Array.from(
      { length: 8 },
      (_, at) => 1 * (1 - (at & 1)) + 100 * ((at >> 1) & 1) + 10 * (1 - (at >> 2)),
    );
    expect(resliceAxial(turned, stored, 0).data).toEqual(Int16Array.of(1, 101, 11, 111));
    expect(resliceCoronal(turned, stored, 1).data).toEqual(Int16Array.of(1, 101, 0, 100));
    expect(countPlanes(turned, "axial")).toBe(2);
  });

  it("names directions by letters, the strongest first", () => {
    expect(directionLetters([1, 0, 0])).toBe("L");
    expect(directionLetters([-0.7, 0, 0.5])).toBe("RH");
    expect(directionLetters([0, -1, 0.05])).toBe("A");
  });
});
