/** Implant systems by their makers' own names, with the sizes of their connections as printed; anything else may be written. */
const systemsByMaker: readonly { maker: string; lines: Record<string, readonly string[]> }[] = [
  {
    maker: "Straumann",
    lines: {
      BLX: ["RB", "WB"],
      TLX: ["NT", "RT", "WT"],
      "Bone Level": ["NC", "RC"],
      "Tissue Level": ["NNC", "RN", "WN"],
    },
  },
  {
    maker: "Nobel Biocare",
    lines: {
      NobelActive: ["3.0", "NP", "RP", "WP"],
      NobelReplace: ["NP", "RP", "WP"],
      N1: ["NP", "RP"],
      Brånemark: ["NP", "RP", "WP"],
    },
  },
  {
    maker: "Astra Tech",
    lines: { "Implant System EV": ["3.0", "3.6", "4.2", "4.8", "5.4"], OsseoSpeed: ["3.0", "3.5/4.0", "4.5/5.0"] },
  },
  { maker: "Dentsply Sirona", lines: { Ankylos: ["C/X"], Xive: ["3.0", "3.4", "3.8", "4.5", "5.5"] } },
  { maker: "Zimmer Biomet", lines: { "Tapered Screw-Vent": ["3.5", "4.5", "5.7"], Certain: ["3.4", "4.1", "5.0"] } },
  { maker: "Osstem", lines: { TSIII: ["Mini", "Regular"], SS: ["Regular", "Wide"] } },
  { maker: "Hiossen", lines: { ET: ["Mini", "Regular"] } },
  { maker: "Dentium", lines: { SuperLine: ["Regular"], "NR Line": ["Narrow"] } },
  { maker: "DIO", lines: { UFII: ["Narrow", "Regular"] } },
  { maker: "Megagen", lines: { AnyRidge: ["Regular"], AnyOne: ["Narrow", "Regular"] } },
  { maker: "Neodent", lines: { "Grand Morse": ["GM"] } },
  { maker: "MIS", lines: { C1: ["NP", "SP", "WP"], Seven: ["NP", "SP", "WP"] } },
  { maker: "BioHorizons", lines: { "Tapered Internal": ["3.0", "3.5", "4.5", "5.7"] } },
  { maker: "Camlog", lines: { Camlog: ["3.3", "3.8", "4.3", "5.0"], Conelog: ["3.3", "3.8", "4.3", "5.0"] } },
  { maker: "Bredent", lines: { blueSKY: ["4.0"], copaSKY: ["4.0"] } },
  { maker: "Thommen", lines: { SPI: ["3.5", "4.0", "4.5", "5.0"] } },
  { maker: "Alpha-Bio Tec", lines: { "Internal Hex": ["3.5"], CHC: ["3.5"] } },
  { maker: "Bicon", lines: { Short: ["2.0", "2.5", "3.0"] } },
];

/** "Straumann BLX RB": one line for each connection. */
export const implantSystems: readonly string[] = systemsByMaker.flatMap(({ maker, lines }) =>
  Object.entries(lines).flatMap(([line, sizes]) => sizes.map((size) => [...new Set([maker, line, size])].join(" "))),
);
