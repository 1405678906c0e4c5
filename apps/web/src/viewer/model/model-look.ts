import type { Contour } from "@arcada/imaging/mesh/contour";
import type { Movement } from "@arcada/imaging/surface/movement";
import type { ModelCamera } from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/picture-view";
import type { SectionPlane } from "@arcada/imaging/view/section-plane";

/** How one model is shown. */
export interface ModelLook {
  isVisible: boolean;
  /** CSS colour of the whole model. */
  colour: string;
  /** CSS colour of its line in a section. */
  line: string;
  /** 0 to 1. */
  opacity: number;
  /** Shows the scan's own colours, where it has any. */
  ownColours: boolean;
}

export const shadings = ["smooth", "flat", "wire"] as const;
export type Shading = (typeof shadings)[number];

/** What a section leaves of the surfaces: all of them, what lies before or behind the plane, or its line alone. */
export const sectionSides = ["whole", "above", "below", "line"] as const;
export type SectionSide = (typeof sectionSides)[number];

export interface ShownSection {
  plane: SectionPlane;
  side: SectionSide;
  /** Of each model, in the scene's space. */
  contours: ReadonlyMap<string, readonly Contour[]>;
}

/** All that a scene's picture depends on; what did not change is the same object. */
export interface ShownScene {
  camera: ModelCamera;
  size: Size;
  looks: ReadonlyMap<string, ModelLook>;
  poses: ReadonlyMap<string, Movement>;
  shading: Shading;
  section: ShownSection | null;
  /** Colours in place of a model's own, 16-bit linear red, green, blue for each vertex. */
  tints: ReadonlyMap<string, Uint16Array>;
}
