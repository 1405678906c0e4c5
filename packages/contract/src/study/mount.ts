/** A place for a film: FDI quadrant side as seen, row from above, and its column among `columns`. */
interface FilmPlace {
  name: string;
  row: number;
  column: number;
  /** Films of front teeth stand upright. */
  upright: boolean;
}
interface FilmLayout {
  rows: number;
  columns: number;
  places: readonly FilmPlace[];
}

// As the mount is looked at: the patient's right is on the left.
const seven = ["molarR", "premolarR", "canineR", "incisor", "canineL", "premolarL", "molarL"] as const;
const eight = ["molarR", "premolarR", "canineR", "incisorR", "incisorL", "canineL", "premolarL", "molarL"] as const;
const bitewings = ["molarR", "premolarR", "premolarL", "molarL"] as const;

const line = (jaw: "upper" | "bite" | "lower", row: number, names: readonly string[], at = (place: number) => place) =>
  names.map((name, place): FilmPlace => ({
    name: `${jaw}.${name}`,
    row,
    column: at(place),
    upright: jaw !== "bite" && /canine|incisor/.test(name),
  }));
const outer = (columns: number) => (place: number) => (place < 2 ? place : columns - 4 + place);

/** The mounts in use: how many films, and where each lies. A place's words stand under `viewer.mount.place`. */
export const filmLayouts = {
  full18: {
    rows: 3,
    columns: 7,
    places: [...line("upper", 0, seven), ...line("bite", 1, bitewings, outer(7)), ...line("lower", 2, seven)],
  },
  full20: {
    rows: 3,
    columns: 8,
    places: [...line("upper", 0, eight), ...line("bite", 1, bitewings, outer(8)), ...line("lower", 2, eight)],
  },
  full14: { rows: 2, columns: 7, places: [...line("upper", 0, seven), ...line("lower", 1, seven)] },
  bite4: { rows: 1, columns: 4, places: line("bite", 0, bitewings) },
} as const satisfies Record<string, FilmLayout>;

export type FilmLayoutName = keyof typeof filmLayouts;
export const filmLayoutNames = Object.keys(filmLayouts) as [FilmLayoutName, ...FilmLayoutName[]];
