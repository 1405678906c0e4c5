import type { MeshFormat } from "@arcada/imaging/mesh/read-mesh";
import type { Jaw } from "@arcada/imaging/geometry/patient-frame";

/** A model file that a scene shows. */
export interface SceneModel {
  id: string;
  name: string;
  /** Empty if the source file is not available: then there is only the streaming copy. */
  url: string;
  format: MeshFormat;
  /** A streaming copy, and the largest distance of its vertices from the source file's, in mm. */
  glb: { url: string; error: number } | null;
  /** Null if unknown. */
  jaw: Jaw | null;
  /** A thumbnail, if one was made. */
  thumbnailUrl?: string | null;
}

export type ModelAddresses = Pick<SceneModel, "url" | "glb">;
