import type { MeshFormat } from "@arcada/imaging/mesh/read-mesh";
import type { Jaw } from "@arcada/imaging/geometry/patient-frame";

/** `error`: the largest distance of a vertex from the source file, in mm; that of a coarse copy is described below. */
interface SurfaceCopy {
  url: string;
  error: number;
}

/** A model file that a scene shows. */
export interface SceneModel {
  id: string;
  name: string;
  /** Empty if the source file is not available: then there is only the streaming copy. */
  url: string;
  format: MeshFormat;
  /**
   * A streaming copy; `coarse`: a much smaller one of a large scan, which is shown until that is loaded. The `error` of
   * the coarse copy is one-sided: the largest distance of a vertex of the streaming copy from the coarse surface, plus
   * the rounding of both copies.
   */
  glb: (SurfaceCopy & { coarse: SurfaceCopy | null }) | null;
  /** Null if unknown. */
  jaw: Jaw | null;
  /** A thumbnail, if one was made. */
  thumbnailUrl?: string | null;
}

export type ModelAddresses = Pick<SceneModel, "url" | "glb">;
