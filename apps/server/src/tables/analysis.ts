import type { Generated } from "kysely";
import type { AnalysisState } from "@arcada/contract/analysis/analysis.cycle";
import type { AnalysisError } from "@arcada/contract/analysis/analysis.rules";
import type { Abstention, EngineInfo, Observation } from "@arcada/contract/analysis/observation";

export interface AnalysisTable {
  institution_id: string;
  id: string;
  study_id: string;
  series_id: string;
  instance_id: string | null;
  image_sha256: string;
  engine_id: string;
  engine_version: string;
  engine: EngineInfo;
  params: Generated<Record<string, unknown>>;
  params_hash: string;
  state: Generated<AnalysisState>;
  progress: Generated<number>;
  error: AnalysisError | null;
  abstentions: Generated<Abstention[]>;
  cost: number;
  started_by: string | null;
  created_at: Generated<string>;
  started_at: string | null;
  ended_at: string | null;
  held_until: string | null;
}
export interface ObservationTable {
  institution_id: string;
  id: string;
  analysis_id: string;
  place: number;
  code: string;
  target: Observation["target"];
  value: Observation["value"];
  unit: string | null;
  geometry: Observation["geometry"];
  confidence: Observation["confidence"];
  method: string;
}
export interface AnalysisArtefactTable {
  institution_id: string;
  analysis_id: string;
  code: string;
  sha256: string;
  info: { columns: number; rows: number; spacing: { row: number; column: number } | null };
}
export interface EnginePackTable {
  institution_id: string;
  id: string;
  engine_id: string;
  engine_version: string;
  sha256: string;
  bytes: number;
  info: EngineInfo;
  signed_by: string | null;
  state: Generated<"on" | "off">;
  installed_by: string;
  installed_at: Generated<string>;
}
/** Organisations for which an operator has permitted engine packs to be installed and run. */
export interface EnginePackPermissionTable {
  institution_id: string;
  /** Null: seeded by the demonstration. */
  allowed_by: string | null;
  allowed_at: Generated<string>;
}
export interface EngineRemoteTable {
  institution_id: string;
  id: string;
  engine_id: string;
  engine_version: string;
  address: string;
  model: string;
  model_version: string | null;
  token: string | null;
  manifest: string;
  card: string;
  info: EngineInfo;
  state: Generated<"on" | "off">;
  set_by: string;
  set_at: Generated<string>;
}
export interface QuotaLedgerTable {
  institution_id: string;
  id: Generated<number>;
  analysis_id: string | null;
  kind: "grant" | "reserve" | "commit" | "release" | "expire";
  source: string | null;
  amount: number;
  /** For a reservation: the period from which it was taken; null: the free base. */
  period_id: Generated<string | null>;
  at: Generated<string>;
}
