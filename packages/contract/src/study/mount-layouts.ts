import type { StudyKind } from "./study.rules.ts";

/** A patient's mounts, and the kind of study in each. */
export const mountKinds = { films: "dentalFilm", photos: "photo" } as const satisfies Record<string, StudyKind>;
export type MountKind = keyof typeof mountKinds;
export const mountKindNames = Object.keys(mountKinds) as [MountKind, ...MountKind[]];

/** A position for an image: FDI quadrant side as seen, row from above, and its column among `columns`. */
export interface MountPosition {
  name: string;
  row: number;
  column: number;
  /** Radiographs of front teeth are upright. */
  upright: boolean;
}
export interface MountLayout {
  kind: MountKind;
  rows: number;
  columns: number;
  places: readonly MountPosition[];
}

// As seen when facing the patient: the patient's right is on the left.
const sevenColumns = ["molarR", "premolarR", "canineR", "incisor", "canineL", "premolarL", "molarL"] as const;
const eightColumns = [
  "molarR",
  "premolarR",
  "canineR",
  "incisorR",
  "incisorL",
  "canineL",
  "premolarL",
  "molarL",
] as const;
const bitewings = ["molarR", "premolarR", "premolarL", "molarL"] as const;

const createRow = (
  jaw: "upper" | "bite" | "lower",
  row: number,
  names: readonly string[],
  columnAt = (index: number) => index,
) =>
  names.map((name, index): MountPosition => ({
    name: `${jaw}.${name}`,
    row,
    column: columnAt(index),
    upright: jaw !== "bite" && /canine|incisor/.test(name),
  }));
const outerColumns = (columns: number) => (index: number) => (index < 2 ? index : columns - 4 + index);

// The usual order of orthodontic photographs; an empty name keeps its place free.
const createPhotoPositions = (rows: readonly (readonly string[])[]): MountPosition[] =>
  rows.flatMap((names, row) =>
    names.flatMap((name, column) => (name === "" ? [] : [{ name, row, column, upright: false }])),
  );

/**
 * The mounts in use: the number of images, and the position of each. The texts of a position are under
 * `viewer.mount.place`.
 */
export const mountLayouts = {
  full18: {
    kind: "films",
    rows: 3,
    columns: 7,
    places: [
      ...createRow("upper", 0, sevenColumns),
      ...createRow("bite", 1, bitewings, outerColumns(7)),
      ...createRow("lower", 2, sevenColumns),
    ],
  },
  full20: {
    kind: "films",
    rows: 3,
    columns: 8,
    places: [
      ...createRow("upper", 0, eightColumns),
      ...createRow("bite", 1, bitewings, outerColumns(8)),
      ...createRow("lower", 2, eightColumns),
    ],
  },
  full14: {
    kind: "films",
    rows: 2,
    columns: 7,
    places: [...createRow("upper", 0, sevenColumns), ...createRow("lower", 1, sevenColumns)],
  },
  bite4: { kind: "films", rows: 1, columns: 4, places: createRow("bite", 0, bitewings) },
  photos8: {
    kind: "photos",
    rows: 3,
    columns: 3,
    places: createPhotoPositions([
      ["face.profileR", "face.rest", "face.smile"],
      ["mouth.upper", "", "mouth.lower"],
      ["mouth.right", "mouth.front", "mouth.left"],
    ]),
  },
  photos11: {
    kind: "photos",
    rows: 3,
    columns: 4,
    places: createPhotoPositions([
      ["face.rest", "face.smile", "face.profileR", "face.profileL"],
      ["face.obliqueR", "face.obliqueL", "mouth.upper", "mouth.lower"],
      ["mouth.right", "mouth.front", "mouth.left"],
    ]),
  },
} as const satisfies Record<string, MountLayout>;

/** The views of an orthodontic photo series, in the order in which they are taken: the face first, then the mouth. */
export const photoViews = [
  "face.rest",
  "face.smile",
  "face.profileR",
  "mouth.front",
  "mouth.right",
  "mouth.left",
  "mouth.upper",
  "mouth.lower",
] as const;
export type PhotoView = (typeof photoViews)[number];

export type MountLayoutName = keyof typeof mountLayouts;
export const mountLayoutNames = Object.keys(mountLayouts) as [MountLayoutName, ...MountLayoutName[]];
/** The layouts of a mount, the usual one first. */
export const layoutsForKind = (kind: MountKind): MountLayoutName[] =>
  mountLayoutNames.filter((name) => mountLayouts[name].kind === kind);
