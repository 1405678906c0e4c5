import type { MeshKind } from "@arcada/imaging/mesh/read";
import type { Jaw } from "../geometry/model-camera.ts";

/** A model file that a scene shows. */
export interface SceneModel {
  id: string;
  name: string;
  url: string;
  format: MeshKind;
  /** Null where it is not known. */
  jaw: Jaw | null;
}
