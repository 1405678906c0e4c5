import type { Generated } from "kysely";
import type { Target } from "@arcada/contract/analysis/observation";
import type { ChartContent } from "@arcada/contract/chart/chart.shape";

export interface ToothChartTable {
  institution_id: string;
  patient_id: string;
  version: number;
  content: ChartContent;
  changed: number[];
  restored_from: number | null;
  by_user: string;
  at: Generated<string>;
}
export interface ChartDecisionTable {
  institution_id: string;
  patient_id: string;
  image_sha256: string;
  code: string;
  target: Target;
  observation_id: string;
  decision: "accept" | "edit" | "reject";
  reason: string | null;
  finding_id: string | null;
  by_user: string;
  at: Generated<string>;
}
