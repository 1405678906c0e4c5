import type { MeshKind } from "@arcada/imaging/mesh/read";
import type { Jaw } from "@arcada/imaging/view/patient-frame";

/** A model file that a scene shows. */
export interface SceneModel {
  id: string;
  name: string;
  /** Empty where the original is not to be had: then there is the light copy alone. */
  url: string;
  format: MeshKind;
  /** A light copy, and how far its vertices lie from the original's at most, in mm. */
  glb: { url: string; error: number } | null;
  /** Null where it is not known. */
  jaw: Jaw | null;
  /** A small picture of it, where one was made. */
  thumbnailUrl?: string | null;
}

export type ModelAddresses = Pick<SceneModel, "url" | "glb">;
