import type { Generated } from "kysely";
import type { FeedbackAction, FeedbackState } from "@arcada/contract/feedback/feedback.cycle";
import type { FeedbackPage } from "@arcada/contract/feedback/feedback.rules";
import type { PackageState } from "@arcada/contract/upgrade/upgrade.rules";

export interface SoftwareFeedbackTable {
  id: string;
  number: Generated<number>;
  device_id: string | null;
  clinic_id: string | null;
  product: string;
  model: string | null;
  software_version: string;
  ct_detector_type: string | null;
  ct_detector_serial: string | null;
  lateral_detector_type: string | null;
  lateral_detector_serial: string | null;
  device_address: string | null;
  page: FeedbackPage;
  description: string;
  state: Generated<FeedbackState>;
  fixed_in: string | null;
  created_by: string;
  created_at: Generated<string>;
  changed_at: Generated<string>;
  version: Generated<number>;
}
export interface FeedbackWordTable {
  feedback_id: string;
  id: string;
  user_id: string;
  action: FeedbackAction;
  text: string;
  fixed_in: string | null;
  at: Generated<string>;
}
export interface FeedbackFileTable {
  feedback_id: string;
  id: string;
  name: string;
  bytes: number;
  sha256: string | null;
  created_by: string;
  created_at: Generated<string>;
}
export interface PackageArrivalTable {
  id: string;
  file_name: string;
  bytes: number;
  sha256: string | null;
  created_by: string;
  created_at: Generated<string>;
}
export interface UpgradePackageTable {
  id: string;
  name: string;
  product: string;
  version: string;
  version_key: string;
  description: string;
  file_name: string;
  sha256: string;
  bytes: number;
  algorithm: Generated<"Ed25519">;
  signature: string;
  signed_by: string;
  state: Generated<PackageState>;
  published_by: string;
  published_at: Generated<string>;
  withdrawn_by: string | null;
  withdrawn_at: string | null;
  withdrawal_reason: string | null;
}
export interface PackageDownloadTable {
  package_id: string;
  id: string;
  user_id: string | null;
  device_id: string | null;
  institution_id: string | null;
  at: Generated<string>;
}
