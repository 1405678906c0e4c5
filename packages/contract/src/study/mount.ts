import type { StudyKind } from "./study.rules.ts";

/** A patient's mounts, and the kind of study in each. */
export const mountKinds = { films: "dentalFilm", photos: "photo" } as const satisfies Record<string, StudyKind>;
export type MountKind = keyof typeof mountKinds;
export const mountKindNames = Object.keys(mountKinds) as [MountKind, ...MountKind[]];

/** A position for an image: FDI quadrant side as seen, row from above, and its column among `columns`. */
export interface MountPlace {
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
  places: readonly MountPlace[];
}

// As seen when facing the patient: the patient's right is on the left.
const seven = ["molarR", "premolarR", "canineR", "incisor", "canineL", "premolarL", "molarL"] as const;
const eight = ["molarR", "premolarR", "canineR", "incisorR", "incisorL", "canineL", "premolarL", "molarL"] as const;
const bitewings = ["molarR", "premolarR", "premolarL", "molarL"] as const;

const line = (jaw: "upper" | "bite" | "lower", row: number, names: readonly string[], at = (place: number) => place) =>
  names.map((name, place): MountPlace => ({
    name: `${jaw}.${name}`,
    row,
    column: at(place),
    upright: jaw !== "bite" && /canine|incisor/.test(name),
  }));
const outer = (columns: number) => (place: number) => (place < 2 ? place : columns - 4 + place);

// The usual order of orthodontic photographs; an empty name keeps its place free.
const photos = (rows: readonly (readonly string[])[]): MountPlace[] =>
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
    places: [...line("upper", 0, seven), ...line("bite", 1, bitewings, outer(7)), ...line("lower", 2, seven)],
  },
  full20: {
    kind: "films",
    rows: 3,
    columns: 8,
    places: [...line("upper", 0, eight), ...line("bite", 1, bitewings, outer(8)), ...line("lower", 2, eight)],
  },
  full14: { kind: "films", rows: 2, columns: 7, places: [...line("upper", 0, seven), ...line("lower", 1, seven)] },
  bite4: { kind: "films", rows: 1, columns: 4, places: line("bite", 0, bitewings) },
  photos8: {
    kind: "photos",
    rows: 3,
    columns: 3,
    places: photos([
      ["face.profileR", "face.rest", "face.smile"],
      ["mouth.upper", "", "mouth.lower"],
      ["mouth.right", "mouth.front", "mouth.left"],
    ]),
  },
  photos11: {
    kind: "photos",
    rows: 3,
    columns: 4,
    places: photos([
      ["face.rest", "face.smile", "face.profileR", "face.profileL"],
      ["face.obliqueR", "face.obliqueL", "mouth.upper", "mouth.lower"],
      ["mouth.right", "mouth.front", "mouth.left"],
    ]),
  },
} as const satisfies Record<string, MountLayout>;

export type MountLayoutName = keyof typeof mountLayouts;
export const mountLayoutNames = Object.keys(mountLayouts) as [MountLayoutName, ...MountLayoutName[]];
/** The layouts of a mount, the usual one first. */
export const layoutsOf = (kind: MountKind): MountLayoutName[] =>
  mountLayoutNames.filter((name) => mountLayouts[name].kind === kind);
