import type { Instance, Series } from "@arcada/contract/study/study.schema";

/** The key of a header row which indicates that the patient's name was guessed. */
export const guessedName = "PatientNameGuessed";

export type InstanceFormat = "dicom" | "jpeg" | "png" | "tiff" | "stl" | "ply" | "obj" | "3mf" | "mtl" | "pdf" | "mp4";
export type ImageInfo = Omit<NonNullable<Instance["picture"]>, "url" | "frames" | "overlays">;
export type ModelInfo = Omit<NonNullable<Instance["model"]>, "url" | "glb"> & {
  /**
   * The greatest distance in mm by which a vertex of the streaming copy has moved; absent in copies from before the
   * measurement existed.
   */
  glbError?: number;
  /** The same of the coarse copy; absent if there is none. */
  coarseError?: number;
};
export type VolumeInfo = Omit<
  NonNullable<Series["volume"]>,
  "preview" | "firstLook" | "archImages" | "half" | "groups" | "groupSize" | "isGrowing"
> & {
  /** The volume can be viewed, but not all of its slices are made. */
  partial?: true;
};

export type VideoInfo = Omit<NonNullable<Instance["video"]>, "url">;

/** The files of an image's overlays have their frame's place plus this number. */
export const overlayPlace = 1_000_000;

/** The place of the surface that a DICOM file contains; its streaming copy has place 0. */
export const surfacePlace = 1;

/** The place of the coarse copy of a large scan. */
export const coarseCopyPlace = 2;

/** The place of the volume preview that has its middle planes alone; the full preview has place 0. */
export const firstLookPlace = 1;

/** The place of the panorama and the cross-sections that are rendered from the volume preview. */
export const archImagesPlace = 2;
