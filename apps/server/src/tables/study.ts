import type { Generated } from "kysely";
import type { Annotation } from "@arcada/contract/study/mark";
import type { MountKind, MountLayoutName } from "@arcada/contract/study/mount";
import type { IngestJob, Instance, Series, Study } from "@arcada/contract/study/study.calls";
import type { StudyKind, StudyOrigin, StudyState } from "@arcada/contract/study/study.rules";

/** The key of a header row which indicates that the patient's name was guessed. */
export const guessedName = "PatientNameGuessed";

export type InstanceFormat = "dicom" | "jpeg" | "png" | "tiff" | "stl" | "ply" | "obj" | "mtl" | "pdf";
export type ImageInfo = Omit<NonNullable<Instance["picture"]>, "url" | "frames" | "overlays">;
export type ModelInfo = Omit<NonNullable<Instance["model"]>, "url" | "glb"> & {
  /**
   * The greatest distance in mm by which a vertex of the streaming copy has moved; absent in copies from before the
   * measurement existed.
   */
  glbError?: number;
};
export type VolumeInfo = Omit<
  NonNullable<Series["volume"]>,
  "preview" | "firstLook" | "half" | "groups" | "groupSize" | "isGrowing"
> & {
  /** The volume can be viewed, but not all of its slices are made. */
  partial?: true;
};

/** The files of an image's overlays have their frame's place plus this number. */
export const overlayPlace = 1_000_000;

/** The place of the volume preview that has its middle planes alone; the full preview has place 0. */
export const firstLookPlace = 1;

export interface StudyTable {
  institution_id: string;
  id: string;
  /** Null: the study is in the inbox. */
  patient_id: string | null;
  kind: StudyKind;
  kind_certain: boolean;
  state: StudyState;
  uid: string | null;
  taken_at: string | null;
  description: string | null;
  modality: string | null;
  header: Study["header"];
  count: number;
  bytes: number;
  thumbnail: string | null;
  created_by: string;
  created_at: Generated<string>;
  used_at: Generated<string>;
  deleted_at: string | null;
  job_id: string | null;
  origin: Generated<StudyOrigin>;
}
export interface StudyPersonTable {
  institution_id: string;
  study_id: string;
  name: string;
  name_text: string;
  number: string;
  birth_date: string | null;
  sex: string;
}
export interface StudyQuestionTable {
  institution_id: string;
  study_id: string;
  /** The patient at whom it waits for an answer. */
  patient_id: string;
  files: string[];
  asked_at: Generated<string>;
}
export interface SeriesTable {
  institution_id: string;
  id: string;
  study_id: string;
  kind: Series["kind"];
  uid: string | null;
  place: number;
  modality: string | null;
  description: string | null;
  problems: Series["problems"];
  volume: VolumeInfo | null;
  preview: VolumeInfo | null;
  thumbnail: string | null;
  job_id: string | null;
}
export interface InstanceTable {
  institution_id: string;
  id: string;
  study_id: string;
  series_id: string;
  place: number;
  sop_uid: string | null;
  name: string;
  /** Other names under which the same bytes came later. */
  also_named: Generated<string[]>;
  format: InstanceFormat;
  bytes: number;
  sha256: string;
  picture: ImageInfo | null;
  model: ModelInfo | null;
  /** There is a PDF: this file, or the one that was taken out of it. */
  document: Record<string, never> | null;
  thumbnail: string | null;
  fault: string | null;
  job_id: string | null;
}
export interface ConvertedFileTable {
  institution_id: string;
  study_id: string;
  owner_id: string;
  role: "picture" | "preview" | "half" | "group" | "mesh" | "document";
  place: number;
  sha256: string;
  bytes: number;
  type: string;
}
export interface StudyMarksTable {
  institution_id: string;
  study_id: string;
  version: number;
  marks: Annotation[];
  saved_by: string;
  saved_at: Generated<string>;
}
export interface StudyMarksVersionTable {
  institution_id: string;
  study_id: string;
  version: number;
  marks: Annotation[];
  saved_by: string;
  saved_at: string;
}
export interface FilmMountTable {
  institution_id: string;
  patient_id: string;
  kind: Generated<MountKind>;
  version: number;
  layout: MountLayoutName;
  films: Record<string, string>;
  saved_by: string;
  saved_at: Generated<string>;
}
export interface IngestJobTable {
  institution_id: string;
  id: string;
  /** Null: the patients of the studies are determined by their files. */
  patient_id: string | null;
  kind: StudyKind | null;
  uploads: string[];
  upload_key: string;
  accept_mismatch: boolean;
  state: Generated<IngestJob["state"]>;
  stage: Generated<IngestJob["stage"]>;
  progress: Generated<number>;
  studies: Generated<string[]>;
  refused: Generated<IngestJob["refused"]>;
  refusal: string | null;
  created_by: string;
  created_at: Generated<string>;
  finished_at: string | null;
  /** Counts of the files that could be read: new ones, and ones that were there already. */
  added: Generated<number>;
  known: Generated<number>;
  known_files: Generated<IngestJob["knownFiles"]>;
  origin: Generated<StudyOrigin>;
  /** True if its studies exist already and only their files for viewers are made again. */
  again: Generated<boolean>;
}
export interface IngestContentTable {
  institution_id: string;
  job_id: string;
  area: "originals" | "converted";
  sha256: string;
}
