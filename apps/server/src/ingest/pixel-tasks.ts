import type { PlainPicture } from "@arcada/imaging/dicom/kind";
import type { ModelInfo, PictureInfo, VolumeInfo } from "../tables/study.ts";

/** Work for a pixel thread. Results go to files under `out`, which the caller takes into the store. */
export type PixelTask =
  | { do: "look"; path: string; format: "jpeg" | "png" | "tiff" | "stl" | "ply" | "obj" | "mtl" | "pdf" }
  | { do: "dicomPicture"; path: string; states: string[]; out: string }
  | { do: "plainPicture"; path: string; format: "jpeg" | "png" | "tiff"; out: string }
  | {
      do: "model";
      path: string;
      format: "stl" | "ply" | "obj";
      jaw: ModelInfo["jaw"];
      dress: Dress[];
      out: string;
    }
  /** `have`: groups that are made already. */
  | { do: "volume"; paths: string[]; out: string; have: GroupPlace[] };

/** A material library or a picture that came along with models. */
export interface Dress {
  name: string;
  path: string;
}

/** A group of slices of the volume, or of its half. */
export interface GroupPlace {
  role: "group" | "half";
  place: number;
}

/** A file that a task made, and its media type. */
export interface Made {
  path: string;
  sha256: string;
  type: string;
}
export type PixelResult =
  | { did: "look"; picture: LookedAt | null; textures?: string[] }
  | { did: "picture"; info: PictureInfo; pictures: Made[]; overlays: Made[]; thumbnail: Made }
  | { did: "document"; file: Made }
  | { did: "model"; info: Omit<ModelInfo, "jaw">; undressed: boolean; glb: Made; thumbnail: Made }
  | { did: "volume"; arch: VolumeInfo["arch"] };

/** By this a volume can be looked at. */
export interface ShownVolume {
  info: VolumeInfo;
  preview: VolumeInfo;
  thumbnail: Made;
  files: { preview: Made; firstLook: Made };
}

/** A plain picture; `isLossy`: its coding lost something that its format does not tell. */
export type LookedAt = PlainPicture & { isLossy?: boolean };

/** How far a volume is: slices read, then groups written, as a share of the whole. What is made comes at once. */
export interface VolumeStep {
  share: number;
  shown?: ShownVolume;
  group?: Made & GroupPlace;
}
