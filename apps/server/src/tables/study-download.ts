import type { Generated } from "kysely";
import type { DownloadState, Deidentification } from "@arcada/contract/study/outgoing.calls";

export interface CleanedFileTable {
  institution_id: string;
  order_id: string;
  original: string;
  sha256: string;
  used_at: Generated<string>;
}
export interface StudyDownloadTable {
  institution_id: string;
  id: string;
  user_id: string | null;
  owner_id: string;
  order_id: string | null;
  studies: string[];
  nameless: Deidentification | null;
  language: string;
  state: Generated<DownloadState>;
  files: number;
  done: Generated<number>;
  created_at: Generated<string>;
}
