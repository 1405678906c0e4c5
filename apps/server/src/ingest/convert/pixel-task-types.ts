import type { PlainImage } from "@arcada/imaging/dicom/parse/image-kind";
import type { ModelInfo, ImageInfo, VideoInfo, VolumeInfo } from "../../tables/study-columns.ts";

/** Work for a pixel thread. Results are written to files under `out`, which the caller moves into the store. */
export type PixelTask =
  | {
      do: "look";
      path: string;
      format: "jpeg" | "png" | "tiff" | "stl" | "ply" | "obj" | "3mf" | "mtl" | "pdf" | "mp4";
    }
  | { do: "dicomPicture"; path: string; states: string[]; out: string }
  | { do: "video"; path: string }
  | { do: "plainPicture"; path: string; format: "jpeg" | "png" | "tiff"; out: string }
  | {
      do: "model";
      path: string;
      format: "stl" | "ply" | "obj" | "3mf";
      jaw: ModelInfo["jaw"];
      materials: MaterialFile[];
      out: string;
    }
  /** `have`: groups that are made already. */
  | { do: "volume"; paths: string[]; out: string; existing: GroupPlace[] };

/** A material library or an image that came with models. */
export interface MaterialFile {
  name: string;
  path: string;
}

/** A group of slices of the volume, or of its half. */
export interface GroupPlace {
  role: "group" | "half";
  place: number;
}

/** A file that a task made, and its media type. */
export interface DerivedFile {
  path: string;
  sha256: string;
  type: string;
}
export type PixelResult =
  | { did: "look"; picture: InspectedImage | null; textures?: string[] }
  | { did: "picture"; info: ImageInfo; images: DerivedFile[]; overlays: DerivedFile[]; thumbnail: DerivedFile }
  | { did: "document"; file: DerivedFile | null }
  | { did: "video"; info: VideoInfo }
  | ConvertedModel
  | ConvertedVolume;

export interface ConvertedModel {
  did: "model";
  info: Omit<ModelInfo, "jaw">;
  isMissingMaterial: boolean;
  glb: DerivedFile;
  thumbnail: DerivedFile;
  /** The document of a DICOM file as it is there, and its surface in mm without words. */
  encapsulated?: { document: DerivedFile; surface: DerivedFile };
}

export interface ConvertedVolume {
  did: "volume";
  arch: VolumeInfo["arch"];
  /** The images with which a viewer begins; null if no arch was found. */
  archImages: DerivedFile | null;
}

/** The files that are needed to view a volume. */
export interface PublishedVolume {
  info: VolumeInfo;
  preview: VolumeInfo;
  thumbnail: DerivedFile;
  files: { preview: DerivedFile; firstLook: DerivedFile };
}

/** A plain image; `isLossy`: its encoding lost information, which its format does not indicate. */
export type InspectedImage = PlainImage & { isLossy?: boolean };

/** Progress of a volume: slices read, then groups written, as a share of the whole. Results are delivered at once. */
export interface VolumeStep {
  share: number;
  published?: PublishedVolume;
  group?: DerivedFile & GroupPlace;
}
