import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDicomHeader } from "../parse/dicom-header.ts";
import { makeImageFixture } from "@arcada/testing/images/dicom-images";
import { readOverlay } from "../pixels/overlay.ts";
import { resolvePresentation } from "./presentation-state.ts";
import { readDicom } from "../parse/read-dicom.ts";
import { deriveUid, writeDicom, type DicomDataset } from "../write/write-dicom.ts";
import type { DicomFile } from "../parse/dicom-file.ts";
import { present } from "@arcada/testing/require-present";

const imageFile = makeImageFixture([]);
const about = (name: string): DicomDataset => [[0x00081140, "SQ", [[[0x00081155, "UI", deriveUid("made", name)]]]]];

function state(label: string, change: DicomDataset, day = "20260101", imagesName = "picture"): DicomFile {
  const dataset: DicomDataset = [
    [0x00080060, "CS", "PR"],
    [0x00081115, "SQ", [about(imagesName)]],
    [0x00700080, "CS", label],
    [0x00700082, "DA", day],
    ...change,
  ];
  return readDicom(
    writeDicom(dataset, { sopClassUid: "1.2.840.10008.5.1.4.1.1.11.1", sopInstanceUid: deriveUid("state", label) }),
  );
}

const voi = (center: string, named?: string): DicomDataset[number] => [
  0x00283110,
  "SQ",
  [[[0x00281050, "DS", center], [0x00281051, "DS", "300"], ...(named ? about(named) : [])]],
];

/** A state with lines, curves and text, two shutters, a turn and a mirror. */
function resolveDrawnState() {
  const graphic = (type: string, data: number[], more: DicomDataset = []): DicomDataset => [
    [0x00700005, "CS", "PIXEL"],
    [0x00700022, "FL", data],
    [0x00700023, "CS", type],
    ...more,
  ];
  const annotation: DicomDataset = [
    ...about("picture"),
    [
      0x00700009,
      "SQ",
      [
        graphic("POLYLINE", [0, 0, 2.5, 1], [[0x00700024, "CS", "Y"]]),
        graphic("CIRCLE", [2, 1, 3, 1]),
        graphic("MATRIX", [0, 0]),
        [...graphic("POINT", [0.5, 0.5]).slice(1), [0x00700005, "CS", "DISPLAY"]],
      ],
    ],
    [
      0x00700008,
      "SQ",
      [
        [
          [0x00700004, "CS", "PIXEL"],
          [0x00700006, "ST", "caries"],
          [0x00700014, "FL", [1, 1.5]],
        ],
      ],
    ],
  ];
  return present(
    resolvePresentation(
      [
        state("DRAWN", [
          [0x00700001, "SQ", [annotation]],
          [0x00181600, "CS", "RECTANGULAR\\CIRCULAR"],
          [0x00181602, "IS", "2"],
          [0x00181604, "IS", "3"],
          [0x00181606, "IS", "1"],
          [0x00181608, "IS", "2"],
          [0x00181610, "IS", "1\\2"],
          [0x00181612, "IS", "1"],
          [0x00181622, "US", 0xffff],
          [0x00700041, "CS", "Y"],
          [0x00700042, "US", 90],
        ]),
      ],
      imageFile,
    ),
  ).presentation;
}

describe("a presentation state", () => {
  it("gives the images that it names its window and its shape; the latest of several counts", () => {
    const old = state("OLD", [voi("100")], "20250101");
    const latest = state("NEW", [voi("400"), [0x20500020, "CS", "INVERSE"]]);
    const other = state("OTHER", [voi("700")], "20270101", "another picture");
    expect(resolvePresentation([old, latest, other], imageFile)?.presentation).toMatchObject({
      label: "NEW",
      window: { center: 400, width: 300 },
      inverted: true,
      notApplied: [],
    });
    expect(resolvePresentation([other], imageFile)).toBeNull();
    expect(readDicomHeader(latest)).toMatchObject({
      hasPixels: false,
      presentation: { label: "NEW", pictures: [deriveUid("made", "picture")] },
    });
    expect(readDicomHeader(imageFile).presentation).toBeNull();
  });

  it("reads the first value of its table as signed when a negative slope makes values negative", () => {
    const falling = makeImageFixture(
      [
        [0x00281052, "DS", "0"],
        [0x00281053, "DS", "-1"],
      ],
      "falling",
    );
    const first = 0x10000 - 700;
    const table: DicomDataset = [
      [0x00283002, "US", [2, first, 8]],
      [0x00283006, "OW", Uint16Array.of(0, 255)],
    ];
    const meant: DicomDataset[number] = [0x00283110, "SQ", [[[0x00283010, "SQ", [table]]]]];
    expect(
      resolvePresentation([state("FALLING", [meant], "20260101", "falling")], falling)?.presentation.window,
    ).toEqual(expect.objectContaining({ center: -699, width: 2 }));
  });

  it("takes the window that is meant for the image", () => {
    const two: DicomDataset[number] = [
      0x00283110,
      "SQ",
      [...(voi("1", "another picture")[2] as DicomDataset[]), ...(voi("2", "picture")[2] as DicomDataset[])],
    ];
    expect(resolvePresentation([state("TWO", [two])], imageFile)?.presentation.window).toEqual({
      center: 2,
      width: 300,
    });
  });

  it("names what of it is not shown, and shows no window that belongs to other values", () => {
    const much = state("MUCH", [
      voi("400"),
      [0x00281052, "DS", "-1000"],
      [0x00281053, "DS", "1"],
      [0x00181600, "CS", "RECTANGULAR"],
      [0x00700001, "SQ", [about("picture")]],
      [
        0x0070005a,
        "SQ",
        [
          [
            [0x00700052, "SL", [2, 1]],
            [0x00700053, "SL", [4, 2]],
          ],
        ],
      ],
      [0x00700042, "US", 90],
    ]);
    expect(resolvePresentation([much], imageFile)?.presentation).toMatchObject({
      label: "MUCH",
      window: null,
      inverted: null,
      // A rectangular shutter without edges is none.
      notApplied: ["window", "modalityTable", "shutter"],
      drawn: { turns: 1, mirrored: false, shutter: null, area: { left: 1, top: 0, right: 4, bottom: 2 } },
    });
  });

  it("draws its lines and curves at their positions, over the frames that it names", () => {
    const { graphics } = resolveDrawnState().drawn;
    expect(graphics[0]).toEqual({
      points: [
        [0, 0],
        [2.5, 1],
      ],
      isFilled: true,
      frames: [],
    });
    for (const [x, y] of graphics[1].points) expect(Math.hypot(x - 2, y - 1)).toBeCloseTo(1, 5);
    expect(graphics[2].points).toEqual([[2, 1]]);
  });

  it("reports a graphic in units of the display as not applied", () => {
    expect(resolveDrawnState().notApplied).toEqual(["graphics"]);
  });

  it("writes its text at its position, over the frames that it names", () => {
    expect(resolveDrawnState().drawn.words).toEqual([{ words: "caries", at: [1, 1.5], frames: [] }]);
  });

  it("hides what its shutters leave out, in their shade", () => {
    const { shutter } = resolveDrawnState().drawn;
    expect(shutter?.shade).toBe(255);
    expect(shutter?.outlines[0]).toEqual([
      [1, 0],
      [3, 0],
      [3, 2],
      [1, 2],
    ]);
    for (const [x, y] of present(shutter).outlines[1]) expect(Math.hypot(x - 1.5, y - 0.5)).toBeCloseTo(1, 5);
  });

  it("turns and mirrors the image", () => {
    const { turns, mirrored } = resolveDrawnState().drawn;
    expect([turns, mirrored]).toEqual([3, true]);
  });
});

const data = process.env["ARCADA_TEST_DATA"] ?? "../shared/data";
const real = (name: string) => readDicom(readFileSync(join(data, "dcm4che-img", name)));

describe.skipIf(!existsSync(join(data, "dcm4che-img")))("real presentation states (ARCADA_TEST_DATA)", () => {
  it("with three scrambled tables: none of them is shown, and two are named", () => {
    const found = resolvePresentation([real("prLUTs.dcm"), real("prOverlay.dcm")], real("imageForPrLUTs.dcm"));
    expect(found?.presentation).toMatchObject({
      label: "XLUT_P03",
      window: null,
      notApplied: ["window", "modalityTable", "presentationTable"],
    });
  });

  it("with its own overlays draws them over the image", () => {
    const image = real("overlay.dcm");
    const found = present(resolvePresentation([real("prOverlay.dcm")], image));
    expect(found.presentation).toMatchObject({ label: "OVLY_P01", window: null, inverted: false, notApplied: [] });
    const count = (bits: Uint8Array | null) => bits?.reduce((sum, bit) => sum + bit, 0) ?? 0;
    expect(count(readOverlay(image, 0))).toBeGreaterThan(1000);
    expect(count(readOverlay(found.state, 0, { rows: 512, columns: 512 }))).toBeGreaterThan(1000);
  });
});
