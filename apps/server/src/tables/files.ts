import type { Generated } from "kysely";

export interface StorageTable {
  id: string;
  made_at: Generated<string>;
}
export interface StoredFileTable {
  institution_id: string;
  sha256: string;
  bytes: number;
  created_at: Generated<string>;
}
export interface UploadTable {
  institution_id: string;
  id: string;
  user_id: string;
  name: string;
  bytes: number;
  state: Generated<"open" | "received" | "finished">;
  sha256: string | null;
  created_at: Generated<string>;
  finished_at: string | null;
}
export interface UnneededTable {
  store_id: string;
  area: "originals" | "converted";
  sha256: string;
}
export interface ScrubTable {
  id: string;
  started_at: Generated<string>;
  finished_at: string | null;
  place: Generated<string>;
  files: Generated<number>;
  bytes: Generated<number>;
  broken: Generated<number>;
  missing: Generated<number>;
}
export interface FileFaultTable {
  store_id: string;
  area: "originals" | "converted";
  sha256: string;
  fault: "broken" | "missing";
  found_at: Generated<string>;
  told_at: string | null;
}
