import type { PlainPicture } from "@arcada/imaging/dicom/kind";
import type { ModelInfo, PictureInfo, VolumeInfo } from "../tables/study.ts";

/** Work for a pixel thread. Results are written to files under `out`, which the caller moves into the store. */
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

/** A material library or an image that came with models. */
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

/** The files that are needed to view a volume. */
export interface ShownVolume {
  info: VolumeInfo;
  preview: VolumeInfo;
  thumbnail: Made;
  files: { preview: Made; firstLook: Made };
}

/** A plain image; `isLossy`: its encoding lost information, which its format does not indicate. */
export type LookedAt = PlainPicture & { isLossy?: boolean };

/** Progress of a volume: slices read, then groups written, as a share of the whole. Results are delivered at once. */
export interface VolumeStep {
  share: number;
  shown?: ShownVolume;
  group?: Made & GroupPlace;
}
