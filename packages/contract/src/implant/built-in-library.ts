import { implantLibraryRules, type ImplantLibrary, type ImplantSystem } from "./implant-library.schema.ts";

/** Sizes of a connection: diameters with the lengths in which each is made, mm. None: they are typed. */
type Sizes = Record<string, readonly (readonly [diameter: number, ...lengths: number[]])[]>;

/** Angles in which most makers offer abutments, in degrees. */
const commonAngles = [0, 15, 17, 25, 30];
/** A sleeve of common size; makers' own go into an institution's library. */
const commonSleeve = { name: "5.0", inner: 5, outer: 6.2, height: 5, offsets: [2, 4, 6, 9] };

const system = (maker: string, line: string, shape: ImplantSystem["shape"], connections: Sizes): ImplantSystem => ({
  maker,
  line,
  shape,
  implants: Object.entries(connections).flatMap(([connection, sizes]): ImplantSystem["implants"] =>
    sizes.length === 0
      ? [{ connection, diameter: null, lengths: [] }]
      : sizes.map(([diameter, ...lengths]) => ({ connection, diameter, lengths })),
  ),
  abutmentAngles: commonAngles,
  sleeves: [commonSleeve],
});

/**
 * Implant systems by their makers' own names and commonly published sizes, with generic shapes. The sizes were not
 * compared with the makers' catalogues one by one, and are stated for well-known lines only; for the others they are
 * typed. The planner compares them with the package.
 */
const systems: readonly ImplantSystem[] = [
  system("Straumann", "BLX", "cone", {
    RB: [
      [3.5, 8, 10, 12, 14, 16, 18],
      [3.75, 6, 8, 10, 12, 14, 16, 18],
      [4, 6, 8, 10, 12, 14, 16, 18],
      [4.5, 6, 8, 10, 12, 14, 16, 18],
    ],
    WB: [
      [5, 6, 8, 10, 12, 14, 16, 18],
      [5.5, 6, 8, 10, 12],
      [6.5, 6, 8, 10, 12],
    ],
  }),
  system("Straumann", "TLX", "cone", { NT: [], RT: [], WT: [] }),
  system("Straumann", "Bone Level", "cylinder", {
    NC: [[3.3, 8, 10, 12, 14]],
    RC: [
      [4.1, 8, 10, 12, 14],
      [4.8, 8, 10, 12, 14],
    ],
  }),
  system("Straumann", "Tissue Level", "cylinder", {
    NNC: [[3.3, 8, 10, 12, 14]],
    RN: [
      [3.3, 8, 10, 12, 14, 16],
      [4.1, 6, 8, 10, 12, 14, 16],
      [4.8, 6, 8, 10, 12, 14],
    ],
    WN: [[4.8, 6, 8, 10, 12]],
  }),
  system("Nobel Biocare", "NobelActive", "cone", {
    "3.0": [[3, 10, 11.5, 13, 15]],
    NP: [[3.5, 8.5, 10, 11.5, 13, 15, 18]],
    RP: [
      [4.3, 8.5, 10, 11.5, 13, 15, 18],
      [5, 8.5, 10, 11.5, 13, 15, 18],
    ],
    WP: [[5.5, 7, 8.5, 10, 11.5, 13, 15]],
  }),
  system("Nobel Biocare", "NobelReplace", "cone", {
    NP: [[3.5, 8, 10, 11.5, 13, 16]],
    RP: [[4.3, 8, 10, 11.5, 13, 16]],
    WP: [[5, 8, 10, 11.5, 13, 16]],
  }),
  system("Nobel Biocare", "N1", "cone", { NP: [], RP: [] }),
  system("Nobel Biocare", "Brånemark", "cylinder", { NP: [], RP: [], WP: [] }),
  system("Astra Tech", "Implant System EV", "cylinder", { "3.0": [], "3.6": [], "4.2": [], "4.8": [], "5.4": [] }),
  system("Astra Tech", "OsseoSpeed", "cylinder", { "3.0": [], "3.5/4.0": [], "4.5/5.0": [] }),
  system("Dentsply Sirona", "Ankylos", "cone", { "C/X": [] }),
  system("Dentsply Sirona", "Xive", "cylinder", { "3.0": [], "3.4": [], "3.8": [], "4.5": [], "5.5": [] }),
  system("Zimmer Biomet", "Tapered Screw-Vent", "cone", {
    "3.5": [
      [3.7, 8, 10, 11.5, 13, 16],
      [4.1, 8, 10, 11.5, 13, 16],
    ],
    "4.5": [[4.7, 8, 10, 11.5, 13, 16]],
    "5.7": [[6, 8, 10, 11.5, 13, 16]],
  }),
  system("Zimmer Biomet", "Certain", "cylinder", { "3.4": [], "4.1": [], "5.0": [] }),
  system("Osstem", "TSIII", "cone", {
    Mini: [[3.5, 8.5, 10, 11.5, 13, 15]],
    Regular: [
      [4, 7, 8.5, 10, 11.5, 13, 15],
      [4.5, 7, 8.5, 10, 11.5, 13, 15],
      [5, 6, 7, 8.5, 10, 11.5, 13, 15],
    ],
  }),
  system("Osstem", "SS", "cylinder", { Regular: [], Wide: [] }),
  system("Hiossen", "ET", "cone", { Mini: [], Regular: [] }),
  system("Dentium", "SuperLine", "cone", { Regular: [] }),
  system("Dentium", "NR Line", "cone", { Narrow: [] }),
  system("DIO", "UFII", "cone", { Narrow: [], Regular: [] }),
  system("Megagen", "AnyRidge", "cone", { Regular: [] }),
  system("Megagen", "AnyOne", "cone", { Narrow: [], Regular: [] }),
  system("Neodent", "Grand Morse", "cone", { GM: [] }),
  system("MIS", "C1", "cone", {
    NP: [[3.3, 10, 11.5, 13, 16]],
    SP: [
      [3.75, 8, 10, 11.5, 13, 16],
      [4.2, 8, 10, 11.5, 13, 16],
    ],
    WP: [[5, 8, 10, 11.5, 13, 16]],
  }),
  system("MIS", "Seven", "cone", { NP: [], SP: [], WP: [] }),
  system("BioHorizons", "Tapered Internal", "cone", {
    "3.0": [[3, 10.5, 12, 15]],
    "3.5": [[3.8, 7.5, 9, 10.5, 12, 15]],
    "4.5": [[4.6, 7.5, 9, 10.5, 12, 15]],
    "5.7": [[5.8, 7.5, 9, 10.5, 12, 15]],
  }),
  system("Camlog", "Camlog", "cylinder", { "3.3": [], "3.8": [], "4.3": [], "5.0": [] }),
  system("Camlog", "Conelog", "cylinder", { "3.3": [], "3.8": [], "4.3": [], "5.0": [] }),
  system("Bredent", "blueSKY", "cone", { "4.0": [] }),
  system("Bredent", "copaSKY", "cone", { "4.0": [] }),
  system("Thommen", "SPI", "cylinder", { "3.5": [], "4.0": [], "4.5": [], "5.0": [] }),
  system("Alpha-Bio Tec", "Internal Hex", "cone", { "3.5": [] }),
  system("Alpha-Bio Tec", "CHC", "cone", { "3.5": [] }),
  system("Bicon", "Short", "cylinder", { "2.0": [], "2.5": [], "3.0": [] }),
];

/** The library of the product, for prescriptions and for plans alike. */
export const builtInLibrary: ImplantLibrary = {
  format: "arcada-implant-library",
  version: implantLibraryRules.formatVersion,
  name: "Arcada",
  source:
    "Commonly published sizes, not compared with the makers' catalogues; generic shapes. Compare with the package before surgery.",
  systems: [...systems],
};
