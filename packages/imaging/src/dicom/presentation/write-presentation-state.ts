import type { VoiWindow } from "../../image/voi-window.ts";
import type { DicomDataset, DicomElement } from "../write/write-dicom.ts";
import { writeDicom } from "../write/write-dicom.ts";

/** Lines and words over an image; points in pixels, (0, 0) being the top left corner of the first pixel. */
export interface PresentationGraphic {
  lines: readonly (readonly (readonly [number, number])[])[];
  label: string;
  /** The position of the text. */
  at: readonly [number, number];
}

/** The presentation of one frame of one image. */
export interface PresentationState {
  /** Patient and study elements as the image has them: names, numbers, dates, UIDs. */
  identity: DicomDataset;
  image: {
    sopClass: string;
    sopInstance: string;
    series: string;
    columns: number;
    rows: number;
    /** Counted from 0; omitted if the image has one frame. */
    frame?: number;
    /** The image's own transformation to modality values. */
    rescale?: { slope: number; intercept: number };
    /** mm between rows and between columns. */
    spacing?: { row: number; column: number };
  };
  uid: { series: string; instance: string };
  /** In modality values; shapes with a table are written as the plain window around them. */
  window: VoiWindow;
  /** Low values white. */
  inverted: boolean;
  /** Quarter turns clockwise, after the mirroring. */
  turns: 0 | 1 | 2 | 3;
  mirrored: boolean;
  graphics: readonly PresentationGraphic[];
  creator: string;
  at: Date;
}

/**
 * A Grayscale Softcopy Presentation State (PS3.3 A.33.1): window, orientation and drawings of an image, as a DICOM file
 * that any viewer can apply. The clock's time is written in UTC.
 */
export function writePresentationState(state: PresentationState): Uint8Array<ArrayBuffer> {
  const [date, time] = formatDicomTime(state.at);
  const { image } = state;
  const dataset: DicomElement[] = [
    ...state.identity,
    [0x00080060, "CS", "PR"],
    [0x00080070, "LO", "Arcada"],
    [0x0020000e, "UI", state.uid.series],
    [0x00200011, "IS", "1"],
    [0x00200060, "CS", null],
    [0x00200013, "IS", "1"],
    [0x00700080, "CS", "ARCADA"],
    [0x00700081, "LO", null],
    [0x00700082, "DA", date],
    [0x00700083, "TM", time],
    [0x00700084, "PN", state.creator],
    [0x00081115, "SQ", [[[0x0020000e, "UI", image.series], encodeReferences(state)]]],
    [0x0070005a, "SQ", [encodeDisplayedArea(state)]],
    [0x00283110, "SQ", [encodeWindow(state.window)]],
    [0x20500020, "CS", state.inverted ? "INVERSE" : "IDENTITY"],
    ...encodeSpatialTransform(state),
  ];
  if (image.rescale)
    dataset.push(
      [0x00281052, "DS", formatDecimal(image.rescale.intercept)],
      [0x00281053, "DS", formatDecimal(image.rescale.slope)],
      [0x00281054, "LO", "US"],
    );
  const graphics = state.graphics.filter(({ lines, label }) => lines.length > 0 || label);
  if (graphics.length > 0)
    dataset.push(
      [0x00700001, "SQ", [encodeAnnotation(graphics, state)]],
      [
        0x00700060,
        "SQ",
        [
          [
            [0x00700002, "CS", layerName],
            [0x00700062, "IS", "1"],
          ],
        ],
      ],
    );
  const { instance } = state.uid;
  return writeDicom(dataset, { sopClassUid: grayscaleStateClass, sopInstanceUid: instance, charset: "ISO_IR 192" });
}

const grayscaleStateClass = "1.2.840.10008.5.1.4.1.1.11.1";
const layerName = "MEASUREMENTS";

const encodeReferences = ({ image }: PresentationState): DicomElement => [
  0x00081140,
  "SQ",
  [
    [
      [0x00081150, "UI", image.sopClass],
      [0x00081155, "UI", image.sopInstance],
      ...(image.frame === undefined ? [] : [[0x00081160, "IS", String(image.frame + 1)] as const]),
    ],
  ],
];

function encodeDisplayedArea(state: PresentationState): DicomDataset {
  const { spacing } = state.image;
  const [first, last] = displayedCorners(state);
  return [
    [0x00700052, "SL", first],
    [0x00700053, "SL", last],
    [0x00700100, "CS", "SCALE TO FIT"],
    spacing
      ? [0x00700101, "DS", [formatDecimal(spacing.row), formatDecimal(spacing.column)]]
      : [0x00700102, "IS", ["1", "1"]],
  ];
}

type Corner = [column: number, row: number];

/** The pixels at the top left and the bottom right once the image is turned and mirrored (PS3.3 C.10.4). */
function displayedCorners(state: PresentationState): [Corner, Corner] {
  const { columns, rows } = state.image;
  const clockwise: Corner[] = [
    [1, 1],
    [columns, 1],
    [columns, rows],
    [1, rows],
  ];
  const { quarters, mirrored } = rotateFirst(state);
  const corner = (index: number): Corner => clockwise[(index - quarters + 4) % 4]!;
  return mirrored ? [corner(1), corner(3)] : [corner(0), corner(2)];
}

function encodeWindow({ center, width, shape }: VoiWindow): DicomDataset {
  const form = { linearExact: "LINEAR_EXACT", sigmoid: "SIGMOID" }[shape as string];
  const named: DicomElement[] = form ? [[0x00281056, "CS", form]] : [];
  return [[0x00281050, "DS", formatDecimal(center)], [0x00281051, "DS", formatDecimal(Math.max(1, width))], ...named];
}

function encodeSpatialTransform(state: PresentationState): DicomElement[] {
  const { quarters, mirrored } = rotateFirst(state);
  if (quarters === 0 && !mirrored) return [];
  return [
    [0x00700041, "CS", mirrored ? "Y" : "N"],
    [0x00700042, "US", quarters * 90],
  ];
}

/** PS3.3 C.10.6 turns first and mirrors then, the view the other way round: a mirrored turn goes backwards. */
const rotateFirst = ({ turns, mirrored }: PresentationState) => ({
  quarters: mirrored ? (4 - turns) % 4 : turns,
  mirrored,
});

function encodeAnnotation(graphics: readonly PresentationGraphic[], state: PresentationState): DicomDataset {
  const lines = graphics.flatMap((graphic) => graphic.lines).filter((line) => line.length > 1);
  const labelled = graphics.filter(({ label }) => label);
  const parts: DicomElement[] = [encodeReferences(state), [0x00700002, "CS", layerName]];
  if (labelled.length > 0) parts.push([0x00700008, "SQ", labelled.map(encodeTextObject)]);
  if (lines.length > 0) parts.push([0x00700009, "SQ", lines.map(encodeGraphicObject)]);
  return parts;
}

const encodeTextObject = ({ label, at }: PresentationGraphic): DicomDataset => [
  [0x00700004, "CS", "PIXEL"],
  [0x00700006, "ST", label],
  [0x00700014, "FL", [...at]],
  [0x00700015, "CS", "N"],
];

const encodeGraphicObject = (line: PresentationGraphic["lines"][number]): DicomDataset => [
  [0x00700005, "CS", "PIXEL"],
  [0x00700020, "US", 2],
  [0x00700021, "US", line.length],
  [0x00700022, "FL", line.flat()],
  [0x00700023, "CS", "POLYLINE"],
  [0x00700024, "CS", "N"],
];

/** PS3.5 6.2: a decimal string has at most 16 characters. */
const formatDecimal = (value: number): string => {
  const whole = String(value);
  return whole.length <= 16 ? whole : String(Number(value.toPrecision(9))).slice(0, 16);
};

const formatDicomTime = (at: Date): [string, string] => {
  const digits = at.toISOString().replaceAll(/[-:]/g, "");
  return [digits.slice(0, 8), digits.slice(9, 15)];
};
