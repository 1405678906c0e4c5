import type { Contour } from "@arcada/imaging/mesh/contour";
import type { RigidTransform } from "@arcada/imaging/geometry/rigid-transform";
import type { ModelCamera } from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/image-view";
import type { SectionPlane } from "@arcada/imaging/view/section-plane";

/** The display settings of one model. */
export interface ModelDisplaySettings {
  isVisible: boolean;
  /** CSS colour of the whole model. */
  colour: string;
  /** CSS colour of its line in a section. */
  line: string;
  /** 0 to 1. */
  opacity: number;
  /** True if the scan's own colours are shown, if it has any. */
  ownColours: boolean;
}

export const shadings = ["smooth", "flat", "wire"] as const;
export type Shading = (typeof shadings)[number];

/**
 * The part of the surfaces that a section leaves: all of them, the part on one side of the plane or on the other, or
 * its line alone.
 */
export const sectionSides = ["whole", "above", "below", "line"] as const;
export type SectionSide = (typeof sectionSides)[number];

export interface ShownSection {
  plane: SectionPlane;
  side: SectionSide;
  /** The contours of each model, in the scene's space. */
  contours: ReadonlyMap<string, readonly Contour[]>;
}

/** Everything on which the image of a scene depends; an unchanged part is the same object. */
export interface RenderedScene {
  camera: ModelCamera;
  size: Size;
  displaySettings: ReadonlyMap<string, ModelDisplaySettings>;
  poses: ReadonlyMap<string, RigidTransform>;
  shading: Shading;
  section: ShownSection | null;
  /** Colours in place of a model's own, 16-bit linear red, green, blue for each vertex. */
  tints: ReadonlyMap<string, Uint16Array>;
}
