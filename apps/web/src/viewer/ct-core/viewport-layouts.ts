import type { VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";

/** The contents that a viewport can show. */
export type ViewportKind = "axial" | "coronal" | "sagittal" | "panorama" | "section" | "render";

/** The temporomandibular joint of a viewport if both are shown side by side. */
export type JointSide = "right" | "left";

interface ViewportDefinition {
  kind: ViewportKind;
  side?: JointSide;
}

/** The viewports of all layouts. Each has its own id, because one layout may show a plane twice. */
export const viewportDefinitions = {
  axial: { kind: "axial" },
  coronal: { kind: "coronal" },
  sagittal: { kind: "sagittal" },
  panorama: { kind: "panorama" },
  section: { kind: "section" },
  render: { kind: "render" },
  rightSagittal: { kind: "sagittal", side: "right" },
  rightCoronal: { kind: "coronal", side: "right" },
  leftSagittal: { kind: "sagittal", side: "left" },
  leftCoronal: { kind: "coronal", side: "left" },
} as const satisfies Record<string, ViewportDefinition>;
export type ViewportId = keyof typeof viewportDefinitions;

export const getViewportDefinition = (name: ViewportId): ViewportDefinition => viewportDefinitions[name];

/** The rows of a grid with their viewports, and the shares of its columns and rows. */
export interface Arrangement {
  rows: readonly (readonly ViewportId[])[];
  columns: readonly number[];
  heights: readonly number[];
}

interface Layout {
  /** From 1100 pixels on. */
  wide: Arrangement;
  /** From 640 pixels on; below, one place is shown at a time. */
  middle: Arrangement;
}

const fourViewports: Arrangement = {
  rows: [
    ["axial", "coronal"],
    ["sagittal", "render"],
  ],
  columns: [1, 1],
  heights: [1, 1],
};

const jointViewports: Arrangement = {
  rows: [
    ["rightSagittal", "axial", "leftSagittal"],
    ["rightCoronal", "axial", "leftCoronal"],
  ],
  columns: [1, 1, 1],
  heights: [1, 1],
};

/** The first one is what a dentist wants of a whole jaw: panorama, cross-sections, axial plane and 3D. */
const layouts = {
  implant: {
    wide: {
      rows: [
        ["panorama", "panorama", "render"],
        ["axial", "section", "section"],
      ],
      columns: [1, 1, 1],
      heights: [1, 1],
    },
    middle: {
      rows: [
        ["panorama", "panorama"],
        ["axial", "section"],
      ],
      columns: [1, 1.4],
      heights: [1, 1],
    },
  },
  mpr: { wide: fourViewports, middle: fourViewports },
  large: {
    wide: {
      rows: [
        ["axial", "coronal"],
        ["axial", "sagittal"],
      ],
      columns: [2.2, 1],
      heights: [1, 1],
    },
    middle: {
      rows: [
        ["axial", "coronal"],
        ["axial", "sagittal"],
      ],
      columns: [2, 1],
      heights: [1, 1],
    },
  },
  tmj: { wide: jointViewports, middle: jointViewports },
  endo: {
    wide: { rows: [["axial", "coronal", "sagittal"]], columns: [1, 1, 1], heights: [1] },
    middle: {
      rows: [
        ["axial", "axial"],
        ["coronal", "sagittal"],
      ],
      columns: [1, 1],
      heights: [1, 1],
    },
  },
  ortho: {
    wide: {
      rows: [
        ["panorama", "panorama"],
        ["render", "sagittal"],
      ],
      columns: [1, 1],
      heights: [1, 1.2],
    },
    middle: {
      rows: [
        ["panorama", "panorama"],
        ["render", "sagittal"],
      ],
      columns: [1, 1],
      heights: [1, 1.2],
    },
  },
  panorama: {
    wide: {
      rows: [
        ["panorama", "panorama"],
        ["axial", "section"],
      ],
      columns: [1, 2],
      heights: [1, 1],
    },
    middle: {
      rows: [
        ["panorama", "panorama"],
        ["axial", "section"],
      ],
      columns: [1, 1.4],
      heights: [1, 1],
    },
  },
  volume: {
    wide: {
      rows: [
        ["render", "axial"],
        ["render", "coronal"],
        ["render", "sagittal"],
      ],
      columns: [2.2, 1],
      heights: [1, 1, 1],
    },
    middle: {
      rows: [
        ["render", "render", "render"],
        ["axial", "coronal", "sagittal"],
      ],
      columns: [1, 1, 1],
      heights: [1.8, 1],
    },
  },
} as const satisfies Record<string, Layout>;
export type LayoutName = keyof typeof layouts;
export const layoutNames = Object.keys(layouts) as LayoutName[];

export const getArrangement = (name: LayoutName, width: number): Arrangement =>
  layouts[name][width >= 1100 ? "wide" : "middle"];

/** Lists the viewports of an arrangement in reading order, each once. */
export const listViewportIds = ({ rows }: Arrangement): ViewportId[] => [...new Set(rows.flat())];

/** Lists all viewports of a layout, whatever the width. */
export const listLayoutViewportIds = (name: LayoutName): ViewportId[] => listViewportIds(layouts[name].wide);

/** CSS pixels across a viewport that has not been on the screen yet. */
export const defaultViewportSize = 400;
/** Viewports of a layout that start close up, and how many mm of the volume they show. */
export const closeUps: Partial<Record<LayoutName, { viewportIds: readonly ViewportId[]; mm: number }>> = {
  tmj: { viewportIds: ["rightSagittal", "rightCoronal", "leftSagittal", "leftCoronal"], mm: 50 },
  endo: { viewportIds: ["axial", "coronal", "sagittal"], mm: 30 },
};

/** A volume of a jaw or more, or of a few teeth only, in which there is no arch to unroll. */
export type FieldOfView = "jaw" | "teeth";

/** The layout of a user who has not chosen one. */
export const defaultLayouts = { jaw: "implant", teeth: "mpr" } as const satisfies Record<FieldOfView, LayoutName>;

/** mm across the narrowest field of view that devices offer for a whole arch; those for a few teeth have 40 to 60. */
const archMm = 70;

export const findFieldOfView = ({
  columns,
  rows,
  spacing,
}: Pick<VolumeGeometry, "columns" | "rows" | "spacing">): FieldOfView =>
  Math.min(columns * spacing[0], rows * spacing[1]) < archMm ? "teeth" : "jaw";
