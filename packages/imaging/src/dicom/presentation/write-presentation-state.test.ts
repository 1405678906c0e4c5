import { describe, expect, it } from "vitest";
import { writePresentationState, type PresentationState } from "./write-presentation-state.ts";
import { resolvePresentation, readPresentationHeader } from "./presentation-state.ts";
import { readDicom } from "../parse/read-dicom.ts";
import { tags } from "../parse/tags.ts";
import { writeDicom } from "../write/write-dicom.ts";

const image = writeDicom(
  [
    [0x0020000d, "UI", "1.2.3"],
    [0x0020000e, "UI", "1.2.3.4"],
    [0x00280010, "US", 20],
    [0x00280011, "US", 30],
    [0x00280100, "US", 16],
    [0x00280101, "US", 12],
    [0x00280103, "US", 0],
  ],
  { sopClassUid: "1.2.840.10008.5.1.4.1.1.1.1", sopInstanceUid: "1.2.3.4.5" },
);
const state: PresentationState = {
  identity: [
    [0x00100010, "PN", "王^小明"],
    [0x00100020, "LO", "7"],
    [0x00100030, "DA", "19900101"],
    [0x00100040, "CS", "M"],
    [0x0020000d, "UI", "1.2.3"],
    [0x00080020, "DA", "20260102"],
    [0x00080030, "TM", "101112"],
    [0x00080050, "SH", null],
    [0x00080090, "PN", null],
    [0x00200010, "SH", null],
  ],
  image: {
    sopClass: "1.2.840.10008.5.1.4.1.1.1.1",
    sopInstance: "1.2.3.4.5",
    series: "1.2.3.4",
    columns: 30,
    rows: 20,
  },
  uid: { series: "1.2.3.6", instance: "1.2.3.6.1" },
  window: { center: 1234.5, width: 800 },
  inverted: true,
  turns: 0,
  mirrored: false,
  graphics: [
    {
      lines: [
        [
          [1, 2],
          [11.5, 2],
        ],
      ],
      label: "10.5 mm 长度",
      at: [11.5, 2],
    },
  ],
  creator: "Dr. Li",
  at: new Date("2026-01-02T03:04:05Z"),
};

describe("a presentation state that is written", () => {
  it("reads back as it was shown", () => {
    const file = readDicom(writePresentationState(state));
    expect(readPresentationHeader(file)?.pictures).toEqual(["1.2.3.4.5"]);
    const found = resolvePresentation([file], readDicom(image))?.presentation;
    expect(found).toMatchObject({ window: { center: 1234.5, width: 800 }, inverted: true });
    expect(file.text(tags.patientName)).toBe("王^小明");
  });

  it("rotates in the opposite direction if the image is mirrored first", () => {
    const turned = (turns: 0 | 1 | 2 | 3, mirrored: boolean) => {
      const file = readDicom(writePresentationState({ ...state, turns, mirrored }));
      return [file.text(tags.flip), file.uint16(tags.rotation)];
    };
    expect(turned(1, false)).toEqual(["N", 90]);
    expect(turned(1, true)).toEqual(["Y", 270]);
    expect(turned(0, true)).toEqual(["Y", 0]);
  });
});
