import type { Generated } from "kysely";

export interface DicomStudyTable {
  institution_id: string;
  study_id: string;
  uid: string;
  names: string;
  haystack: string;
  referring: string;
  patient_number: string;
  birth_date: string | null;
  sex: string;
  study_date: string | null;
  study_time: string;
  accession: string;
  study_number: string;
  description: string;
  modalities: string[];
  attributes: string;
  /** Made by the database: searches find it. */
  shown: Generated<boolean>;
}
export interface DicomSeriesTable {
  institution_id: string;
  study_id: string;
  uid: string;
  modality: string;
  number: number | null;
  description: string;
  step_date: string | null;
  attributes: string;
}
export interface DicomInstanceTable {
  institution_id: string;
  instance_id: string;
  study_id: string;
  series_uid: string;
  uid: string;
  sop_class: string;
  number: number | null;
  frames: number;
  syntax: string;
  attributes: string;
  metadata: string;
  /** Null: the frames cannot be read directly from the file and must be extracted. */
  frames_at: number | null;
  frame_bytes: number | null;
}
