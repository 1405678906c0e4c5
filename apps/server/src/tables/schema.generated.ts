// Generated from the database catalogue by `node scripts/generate-schema.ts`; a test compares the two.
import type { Generated } from "kysely";
import type { ColumnTypes } from "./column-types.ts";

export interface AdmissionTable {
  institution_id: string;
  id: string;
  kind: "invitation" | "application";
  state: "not_reviewed" | "awaiting_confirmation" | "normal" | "rejected" | "confirmed" | "cancelled" | "expired";
  user_id: string | null;
  email: string | null;
  name: Generated<string>;
  remark: string | null;
  authority_id: number;
  secret_hash: string | null;
  inviter_id: string | null;
  operator_id: string | null;
  created_at: Generated<string>;
  sent_at: string | null;
  sent: Generated<number>;
  expires_at: string | null;
  ended_at: string | null;
  version: Generated<number>;
}
export interface AnalysisTable {
  institution_id: string;
  id: string;
  study_id: string;
  series_id: string;
  instance_id: string | null;
  image_sha256: string;
  engine_id: string;
  engine_version: string;
  engine: ColumnTypes["analysis.engine"];
  params: Generated<ColumnTypes["analysis.params"]>;
  params_hash: string;
  state: Generated<"queued" | "running" | "done" | "failed" | "cancelled">;
  progress: Generated<number>;
  error: ColumnTypes["analysis.error"] | null;
  abstentions: Generated<ColumnTypes["analysis.abstentions"]>;
  cost: number;
  started_by: string | null;
  created_at: Generated<string>;
  started_at: string | null;
  ended_at: string | null;
  held_until: string | null;
}
export interface AnalysisArtefactTable {
  institution_id: string;
  analysis_id: string;
  code: string;
  sha256: string;
  info: ColumnTypes["analysis_artefact.info"];
}
export interface ApiKeyTable {
  institution_id: string;
  id: string;
  name: string;
  begins: string;
  token_hash: string;
  old_token_hash: string | null;
  old_token_until: string | null;
  rotated_at: string | null;
  scopes: ColumnTypes["api_key.scopes"];
  created_by: string;
  created_at: Generated<string>;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  minute: string | null;
  calls: Generated<number>;
  agent_report: ColumnTypes["api_key.agent_report"] | null;
  agent_seen_at: string | null;
}
export interface ArrivalTable {
  id: string;
  name: string;
  bytes: number;
  state: Generated<"sending" | "checking" | "checked" | "importing" | "done" | "failed" | "cancelled">;
  progress: Generated<number>;
  sha256: string | null;
  found: ColumnTypes["arrival.found"] | null;
  refusal: string | null;
  created_by: string;
  created_at: Generated<string>;
  finished_at: string | null;
}
export interface AuditTable {
  id: Generated<number>;
  institution_id: string | null;
  user_id: string | null;
  action: string;
  subject: string | null;
  detail: Generated<ColumnTypes["audit.detail"]>;
  address: string | null;
  request_id: string | null;
  at: Generated<string>;
  seq: number | null;
  hash: string | null;
  late_at: string | null;
}
export interface AuditAnchorTable {
  id: number;
  rows: number;
  hash: string;
  at: string;
  key_id: string;
  mac: string;
  mailed_on: string | null;
}
export interface AuditCheckTable {
  id: string;
  started_at: Generated<string>;
  finished_at: string | null;
  rows: number | null;
  broken: number | null;
  fault: ColumnTypes["audit_check.fault"] | null;
}
export interface AuditEpochTable {
  rows: number;
  hash: string;
  at: string;
  key_id: string;
  reason: string | null;
  mac: string;
}
export interface AuditGapTable {
  first: number;
  last: number;
  hash: string;
  partition: string;
  at: string;
  key_id: string;
  mac: string;
}
export interface BackupRunTable {
  id: string;
  kind: "create" | "verify";
  target: string;
  name: string | null;
  started_at: string;
  finished_at: Generated<string>;
  ok: boolean;
  files: number | null;
  bytes: number | null;
  fault: string | null;
}
export interface CapacityCardTable {
  id: string;
  number: string;
  secret_hash: string;
  batch_id: string;
  gigabytes: number;
  analyses: number;
  days: number;
  sell_by: string;
  state: Generated<"issued" | "in_effect" | "expired" | "void">;
  issued_by: string;
  issued_at: Generated<string>;
  institution_id: string | null;
  voided_by: string | null;
  voided_at: string | null;
  void_reason: string | null;
}
export interface CapacityPaymentTable {
  institution_id: string;
  id: string;
  kind: "subscribe" | "renew" | "renewLate";
  plan: string;
  period_id: string | null;
  starts_at: string | null;
  state: Generated<"waiting" | "confirmed" | "declined" | "withdrawn">;
  asked_by: string | null;
  asked_at: Generated<string>;
  decided_by: string | null;
  decided_at: string | null;
  reason: string | null;
}
export interface CapacityPeriodTable {
  institution_id: string;
  id: string;
  card_id: string | null;
  plan: string | null;
  gigabytes: number;
  analyses: number;
  days: number;
  state: "subscribed" | "in_effect" | "unsubscribed" | "expired";
  auto_renew: boolean;
  made_by: string | null;
  subscribed_at: Generated<string>;
  activated_at: string | null;
  unsubscribed_at: string | null;
  starts_at: string;
  expires_at: string;
  expired_at: string | null;
  told_days: number | null;
  version: Generated<number>;
}
export interface CapacityTryTable {
  user_id: string;
  id: Generated<number>;
  at: Generated<string>;
}
export interface CephTracingTable {
  institution_id: string;
  id: string;
  patient_id: string;
  study_id: string;
  instance_id: string;
  version: number;
  content: ColumnTypes["ceph_tracing.content"];
  saved_by: string;
  saved_at: Generated<string>;
}
export interface CephTracingVersionTable {
  institution_id: string;
  tracing_id: string;
  version: number;
  study_id: string;
  instance_id: string;
  content: ColumnTypes["ceph_tracing_version.content"];
  saved_by: string;
  saved_at: string;
}
export interface ChartDecisionTable {
  institution_id: string;
  patient_id: string;
  image_sha256: string;
  code: string;
  target: ColumnTypes["chart_decision.target"];
  observation_id: string;
  decision: "accept" | "edit" | "reject";
  reason: string | null;
  finding_id: string | null;
  fdi: number | null;
  by_user: string;
  at: Generated<string>;
}
export interface CleanedFileTable {
  institution_id: string;
  order_id: string;
  original: string;
  sha256: string;
  used_at: Generated<string>;
}
export interface ClinicTable {
  id: string;
  institution_id: string | null;
  number: string;
  name: string;
  country: string;
  province: string | null;
  city: string | null;
  address: string | null;
  leader: string | null;
  phone_area: string | null;
  phone: string | null;
  alternate_name: string | null;
  alternate_phone: string | null;
  set_up_at: Generated<string>;
  longitude: number | null;
  latitude: number | null;
  created_at: Generated<string>;
  version: Generated<number>;
  haystack: string | null;
  grams: Generated<string[]>;
  sort_name: Generated<string>;
}
export interface ClinicJoinTable {
  id: string;
  clinic_id: string;
  record: ColumnTypes["clinic_join.record"];
  before: ColumnTypes["clinic_join.before"];
  devices: string[];
  work_orders: string[];
  destinations: string[];
  feedback: string[];
  joined_by: string;
  joined_at: Generated<string>;
  parted_by: string | null;
  parted_at: string | null;
}
export interface CodeKeyTable {
  process: string;
  public_key: string;
  seen_at: Generated<string>;
}
export interface ConsentTable {
  institution_id: string;
  id: string;
  patient_id: string;
  kind: "treatment" | "imaging" | "dataUse" | "sharing" | "training";
  text_version: string;
  words: string | null;
  how: "paper" | "screen";
  given_by: string;
  given_for: "self" | "guardian";
  given_at: string;
  scan_sha256: string | null;
  scan_name: string | null;
  scan_bytes: number | null;
  note: string | null;
  recorded_by: string;
  recorded_at: Generated<string>;
  withdrawn_at: string | null;
  withdrawn_by: string | null;
  withdrawn_note: string | null;
  withdrawal_recorded_by: string | null;
}
export interface ContactTable {
  user_id: string;
  kind: "phone" | "email";
  value: string;
  country_code: string | null;
  verified_at: Generated<string>;
}
export interface ConvertedFileTable {
  institution_id: string;
  study_id: string;
  owner_id: string;
  role: "picture" | "preview" | "half" | "group" | "mesh" | "document";
  place: Generated<number>;
  sha256: string;
  bytes: number;
  type: string;
}
export interface DeviceTable {
  id: string;
  institution_id: string | null;
  clinic_id: string | null;
  product: string;
  serial_number: string;
  model: string;
  firmware: string | null;
  software_version: string | null;
  name: string | null;
  state: Generated<"unbound" | "bound" | "locked">;
  code_hash: string | null;
  code_expires_at: string | null;
  code_used_at: string | null;
  key_id: string | null;
  key_hash: string | null;
  key_begins: string | null;
  minute: string | null;
  calls: Generated<number>;
  seen_at: string | null;
  bound_at: string | null;
  unbound_at: string | null;
  locked_at: string | null;
  lock_side: "clinic" | "service" | null;
  lock_code: ColumnTypes["device.lock_code"] | null;
  lock_reason: string | null;
  created_by: string | null;
  created_at: Generated<string>;
  version: Generated<number>;
  waiting: number | null;
  said_at: string | null;
}
export interface DeviceConsentTable {
  id: string;
  device_id: string;
  name: string;
  bytes: number;
  sha256: string | null;
  created_by: string;
  created_at: Generated<string>;
}
export interface DeviceEventTable {
  id: string;
  seq: Generated<number>;
  device_id: string;
  institution_id: string | null;
  user_id: string | null;
  side: "clinic" | "service";
  at: Generated<string>;
  action: ColumnTypes["device_event.action"];
  to_state: ColumnTypes["device_event.to_state"];
  code: ColumnTypes["device_event.code"] | null;
  reason: string | null;
  work_order_id: string | null;
  consent_id: string | null;
}
export interface DeviceTryTable {
  user_id: string;
  at: Generated<string>;
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
  frames_at: number | null;
  frame_bytes: number | null;
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
  shown: Generated<boolean>;
}
export interface EngineIncludedTable {
  engine_id: string;
  institution_id: string | null;
  switched_by: string | null;
  switched_at: Generated<string>;
}
export interface EngineOnUploadTable {
  institution_id: string;
  modality: string;
  engine: string | null;
  set_by: string;
  set_at: Generated<string>;
}
export interface EnginePackTable {
  institution_id: string;
  id: string;
  engine_id: string;
  engine_version: string;
  sha256: string;
  bytes: number;
  info: ColumnTypes["engine_pack.info"];
  signed_by: string | null;
  state: Generated<"on" | "off">;
  installed_by: string;
  installed_at: Generated<string>;
}
export interface EnginePackPermissionTable {
  institution_id: string;
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
  info: ColumnTypes["engine_remote.info"];
  state: Generated<"on" | "off">;
  set_by: string;
  set_at: Generated<string>;
}
export interface ErrorReportTable {
  id: string;
  reporter: string;
  message: string;
  stack: Generated<string>;
  path: string;
  agent: Generated<string>;
  happened_at: string;
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
export interface FeedbackWordTable {
  feedback_id: string;
  id: string;
  user_id: string;
  action: ColumnTypes["feedback_word.action"];
  text: string;
  fixed_in: string | null;
  at: Generated<string>;
}
export interface FileFaultTable {
  store_id: string;
  area: "originals" | "converted";
  sha256: string;
  fault: "broken" | "missing";
  found_at: Generated<string>;
  told_at: string | null;
}
export interface FilmMountTable {
  institution_id: string;
  patient_id: string;
  version: number;
  layout: ColumnTypes["film_mount.layout"];
  films: ColumnTypes["film_mount.films"];
  turns: Generated<ColumnTypes["film_mount.turns"]>;
  saved_by: string;
  saved_at: Generated<string>;
  kind: Generated<"films" | "photos">;
}
export interface Hl7ConnectionTable {
  institution_id: string;
  id: string;
  name: string;
  application: string;
  facility: Generated<string>;
  receiver: Generated<string>;
  receiver_facility: Generated<string>;
  authority: Generated<string>;
  creates_patients: boolean;
  results: Generated<"off" | "pdf" | "link">;
  host: Generated<string>;
  port: number;
  tls: boolean;
  created_by: string;
  created_at: Generated<string>;
  received_at: string | null;
  reached_at: string | null;
  failed_at: string | null;
  problem: ColumnTypes["hl7_connection.problem"] | null;
}
export interface Hl7MessageTable {
  institution_id: string;
  id: string;
  connection_id: string;
  direction: "in" | "out";
  control_id: string;
  digest: string | null;
  type: string;
  state: "done" | "waiting" | "ignored" | "refused" | "dismissed" | "queued" | "sending" | "sent" | "failed" | "cancelled";
  reason: ColumnTypes["hl7_message.reason"] | null;
  problem: ColumnTypes["hl7_message.problem"] | null;
  detail: string | null;
  patient_id: string | null;
  other_patient_id: string | null;
  intent: ColumnTypes["hl7_message.intent"] | null;
  reply: string | null;
  report_id: string | null;
  tries: Generated<number>;
  created_at: Generated<string>;
  next_at: Generated<string>;
  finished_at: string | null;
  decided_by: string | null;
}
export interface Hl7OrderTable {
  institution_id: string;
  id: string;
  connection_id: string;
  patient_id: string;
  placer: string;
  filler: string;
  accession: string;
  code: string;
  description: string;
  reason: string;
  requester: string;
  teeth: Generated<number[]>;
  scheduled_at: string | null;
  state: Generated<"open" | "reported" | "cancelled">;
  created_at: Generated<string>;
  changed_at: Generated<string>;
}
export interface IdempotencyTable {
  user_id: string;
  key: string;
  call: string;
  fingerprint: string;
  answer: unknown;
  at: Generated<string>;
}
export interface IdentityTable {
  issuer: string;
  subject: string;
  user_id: string;
  email: string;
  linked_at: Generated<string>;
}
export interface ImplantDocumentTable {
  institution_id: string;
  id: string;
  study_id: string;
  kind: "report" | "picture" | "guide";
  report_id: string | null;
  name: string;
  sha256: string;
  bytes: number;
  marks_version: number;
  content: ColumnTypes["implant_document.content"];
  made_by: string;
  made_at: Generated<string>;
}
export interface ImplantLibraryTable {
  institution_id: string;
  id: string;
  name: string;
  content: ColumnTypes["implant_library.content"];
  imported_by: string;
  imported_at: Generated<string>;
}
export interface ImportedAuditTable {
  institution_id: string;
  id: number;
  user_id: string | null;
  action: string;
  subject: string | null;
  detail: Generated<ColumnTypes["imported_audit.detail"]>;
  address: string | null;
  request_id: string | null;
  at: string;
  seq: number | null;
  hash: string | null;
}
export interface ImportedRowTable {
  institution_id: string;
  source: string;
  place: number;
  row: ColumnTypes["imported_row.row"];
}
export interface IngestContentTable {
  institution_id: string;
  job_id: string;
  area: "originals" | "converted";
  sha256: string;
}
export interface IngestJobTable {
  institution_id: string;
  id: string;
  patient_id: string | null;
  kind: ColumnTypes["ingest_job.kind"] | null;
  uploads: string[];
  upload_key: string;
  accept_mismatch: boolean;
  state: Generated<"waiting" | "running" | "done" | "failed" | "cancelled">;
  stage: Generated<ColumnTypes["ingest_job.stage"]>;
  progress: Generated<number>;
  studies: Generated<string[]>;
  refused: Generated<ColumnTypes["ingest_job.refused"]>;
  refusal: string | null;
  created_by: string;
  created_at: Generated<string>;
  finished_at: string | null;
  origin: Generated<"upload" | "stow" | "dimse" | "device">;
  again: Generated<boolean>;
  added: Generated<number>;
  known: Generated<number>;
  known_files: Generated<ColumnTypes["ingest_job.known_files"]>;
  sender_person: unknown;
  photo_views: Generated<ColumnTypes["ingest_job.photo_views"]>;
}
export interface InstallationSettingTable {
  name: "publicUrl";
  value: string;
  changed_at: Generated<string>;
}
export interface InstanceTable {
  institution_id: string;
  id: string;
  study_id: string;
  series_id: string;
  place: number;
  sop_uid: string | null;
  name: string;
  format: "dicom" | "jpeg" | "png" | "tiff" | "stl" | "ply" | "obj" | "3mf" | "mtl" | "pdf" | "mp4";
  bytes: number;
  sha256: string;
  picture: ColumnTypes["instance.picture"] | null;
  model: ColumnTypes["instance.model"] | null;
  thumbnail: string | null;
  fault: string | null;
  job_id: string | null;
  document: ColumnTypes["instance.document"] | null;
  video: ColumnTypes["instance.video"] | null;
  also_named: Generated<ColumnTypes["instance.also_named"]>;
}
export interface InstitutionTable {
  id: string;
  number: string;
  name: string;
  type: "clinic" | "lab";
  country: string;
  address: string | null;
  contact_person: string | null;
  contact_way: string | null;
  longitude: number | null;
  latitude: number | null;
  hide_patient_names: Generated<boolean>;
  auto_accept_relations: Generated<boolean>;
  created_by: string;
  created_at: Generated<string>;
  require_factor: Generated<boolean>;
  logo_cover: string | null;
  logo_inside: string | null;
  stub: Generated<boolean>;
  receipt_days: Generated<number | null>;
  retention_years: number | null;
  time_zone: string | null;
  share_phones: Generated<boolean>;
  opened_by: string | null;
  first_steps_hidden: Generated<boolean>;
  launch_creates_patients: Generated<boolean>;
}
export interface InstitutionQuotaTable {
  institution_id: string;
  gigabytes: number;
  analyses: number;
  changed_at: Generated<string>;
}
export interface IntakeTable {
  institution_id: string;
  upload_id: string;
  study_uid: string;
  sop_uid: string;
  sha256: string;
  is_part: boolean;
  origin: "stow" | "dimse" | "device";
  created_by: string;
  created_at: Generated<string>;
}
export interface KnownDeviceTable {
  user_id: string;
  device_hash: string;
  at: Generated<string>;
}
export interface LetterCountTable {
  day: string;
  recipient: string;
  sent: number;
}
export interface LoginFailureTable {
  id: Generated<number>;
  target: string;
  address: string;
  at: Generated<string>;
}
export interface MembershipTable {
  id: string;
  institution_id: string | null;
  user_id: string;
  authority_id: number;
  state: "normal" | "deleted" | "exited";
  joined_at: Generated<string>;
  ended_at: string | null;
  version: Generated<number>;
  operator_id: string | null;
  launch_allowed_at: string | null;
  licence: string | null;
}
export interface NoticeTable {
  institution_id: string | null;
  id: string;
  user_id: string;
  kind: ColumnTypes["notice.kind"];
  params: Generated<ColumnTypes["notice.params"]>;
  link: string | null;
  topic: Generated<string>;
  count: Generated<number>;
  waits: Generated<boolean>;
  mail_due: Generated<boolean>;
  seen_at: string | null;
  created_at: Generated<string>;
  changed_at: Generated<string>;
}
export interface NoticePreferenceTable {
  user_id: string;
  preset: ColumnTypes["notice_preference.preset"] | null;
  mail: Generated<ColumnTypes["notice_preference.mail"]>;
  mailed_on: string | null;
}
export interface NoticeSwitchTable {
  user_id: string;
  kind: ColumnTypes["notice_switch.kind"];
  site: boolean | null;
  email: boolean | null;
}
export interface ObservationTable {
  institution_id: string;
  id: string;
  analysis_id: string;
  place: number;
  code: string;
  target: ColumnTypes["observation.target"];
  value: ColumnTypes["observation.value"];
  unit: string | null;
  geometry: ColumnTypes["observation.geometry"] | null;
  confidence: ColumnTypes["observation.confidence"];
  method: string;
}
export interface OrderDownloadTable {
  institution_id: string;
  id: string;
  sender_id: string;
  order_id: string;
  share_id: string | null;
  user_id: string | null;
  files: string[];
  language: string;
  layout: Generated<"folders" | "exocad" | "threeShape">;
  created_at: Generated<string>;
}
export interface OrderEntryTable {
  institution_id: string;
  order_id: string;
  owner_id: string;
  number: string;
  other_id: string | null;
  case_type: ColumnTypes["order_entry.case_type"];
  created_at: string;
  sort_name: Generated<string>;
  haystack: string;
  grams: string[];
  worded: Generated<boolean>;
}
export interface OrderEventTable {
  institution_id: string;
  order_id: string;
  id: string;
  seq: Generated<number>;
  at: Generated<string>;
  action: ColumnTypes["order_event.action"];
  from_state: ColumnTypes["order_event.from_state"] | null;
  to_state: ColumnTypes["order_event.to_state"];
  user_id: string | null;
  side: "sender" | "receiver" | "system";
  text: string | null;
  revision: number | null;
  changed: string[] | null;
  inner_only: boolean;
  code: string | null;
  faults: ColumnTypes["order_event.faults"] | null;
}
export interface OrderFileTable {
  institution_id: string;
  order_id: string;
  id: string;
  owner_id: string;
  side: "sender" | "receiver";
  role: ColumnTypes["order_file.role"];
  name: string;
  content: string;
  sha256: string;
  bytes: number;
  study_id: string | null;
  revision_id: string | null;
  added_by: string | null;
  created_at: Generated<string>;
  place: Generated<number>;
  proposal_id: string | null;
  message_id: string | null;
}
export interface OrderGlbTable {
  institution_id: string;
  original: string;
  sha256: string | null;
  error: number;
  coarse_sha256: string | null;
  coarse_error: number | null;
  used_at: Generated<string>;
}
export interface OrderLabTemplateTable {
  institution_id: string;
  name: string;
  content: string;
  has_materials: boolean;
  kinds: ColumnTypes["order_lab_template.kinds"];
  added_by: string;
  added_at: Generated<string>;
}
export interface OrderLabWordsTable {
  institution_id: string;
  words: ColumnTypes["order_lab_words.words"];
  version: Generated<number>;
  saved_by: string;
  saved_at: Generated<string>;
}
export interface OrderLookTable {
  institution_id: string;
  user_id: string;
  id: string;
  name: string | null;
  filter: Generated<ColumnTypes["order_look.filter"]>;
  columns: ColumnTypes["order_look.columns"] | null;
  standard: Generated<boolean>;
  created_at: Generated<string>;
}
export interface OrderMessageTable {
  institution_id: string;
  order_id: string;
  id: string;
  at: Generated<string>;
  user_id: string;
  side: "sender" | "receiver";
  text: string;
  mentions: Generated<string[]>;
}
export interface OrderPictureTable {
  institution_id: string;
  original: string;
  side: number;
  sha256: string;
}
export interface OrderPinTable {
  institution_id: string;
  order_id: string;
  id: string;
  number: number;
  file_id: string;
  surface: string;
  x: number;
  y: number;
  z: number;
  text: string;
  user_id: string;
  side: "sender" | "receiver";
  at: Generated<string>;
  settled_by: string | null;
  settled_at: string | null;
}
export interface OrderPinAnswerTable {
  institution_id: string;
  order_id: string;
  pin_id: string;
  id: string;
  text: string;
  user_id: string;
  side: "sender" | "receiver";
  at: Generated<string>;
}
export interface OrderProposalTable {
  institution_id: string;
  order_id: string;
  id: string;
  rx: ColumnTypes["order_proposal.rx"];
  case_type: ColumnTypes["order_proposal.case_type"];
  due_date: string | null;
  changed: string[];
  text: string | null;
  state: "open" | "accepted" | "declined" | "lapsed";
  user_id: string;
  created_at: Generated<string>;
  decided_by: string | null;
  decided_at: string | null;
}
export interface OrderReadingTable {
  institution_id: string;
  order_id: string;
  user_id: string;
  side: "sender" | "receiver";
  up_to: string;
  at: Generated<string>;
}
export interface OrderRevisionTable {
  institution_id: string;
  order_id: string;
  id: string;
  kind: "scheme" | "design";
  number: number;
  hash: string;
  text: string | null;
  state: "submitted" | "confirmed" | "returned" | "withdrawn" | "voided";
  user_id: string;
  created_at: Generated<string>;
  decided_by: string | null;
  decided_at: string | null;
}
export interface OrderRevisionOpeningTable {
  institution_id: string;
  order_id: string;
  revision_id: string;
  user_id: string;
  at: Generated<string>;
}
export interface OrderRxTable {
  institution_id: string;
  order_id: string;
  revision: number;
  rx: ColumnTypes["order_rx.rx"];
  at: Generated<string>;
  user_id: string | null;
  case_type: ColumnTypes["order_rx.case_type"] | null;
  due_date: string | null;
}
export interface OrderTallyTable {
  institution_id: string;
  state: ColumnTypes["order_tally.state"];
  mine: boolean;
  n: number;
}
export interface OrderTemplateTable {
  institution_id: string;
  id: string;
  user_id: string;
  name: string;
  for_all: boolean;
  target_id: string | null;
  is_default: Generated<boolean>;
  content: ColumnTypes["order_template.content"];
  updated_at: Generated<string>;
}
export interface OrdersTable {
  institution_id: string;
  id: string;
  number: string;
  receiver_id: string | null;
  creator_id: string;
  assignee_id: string | null;
  state: ColumnTypes["orders.state"];
  turn: "sender" | "receiver" | "nobody";
  turn_after: "sender" | "receiver" | "nobody";
  step: ColumnTypes["orders.step"];
  holder: Generated<"sender" | "receiver">;
  version: Generated<number>;
  case_type: ColumnTypes["orders.case_type"];
  rx: ColumnTypes["orders.rx"];
  rx_revision: Generated<number>;
  patient_id: string | null;
  patient_name: string | null;
  patient_number: string | null;
  name_masked: Generated<boolean>;
  scheme_revision: Generated<number>;
  design_revision: Generated<number>;
  due_date: string | null;
  promised_date: string | null;
  carrier: string | null;
  tracking_number: string | null;
  hand_delivery: Generated<boolean>;
  redelivery_count: Generated<number>;
  info_request: string | null;
  info_asked_at: string | null;
  cancel_request: string | null;
  copied_from: string | null;
  remake_of: string | null;
  parent_id: string | null;
  resume_state: ColumnTypes["orders.resume_state"] | null;
  created_at: Generated<string>;
  updated_at: Generated<string>;
  handed_over_at: string | null;
  accepted_at: string | null;
  accepted_by: string | null;
  submitted_at: string | null;
  dispatched_at: string | null;
  completed_at: string | null;
  straight: Generated<boolean>;
  named_above: Generated<boolean>;
  change_request: string | null;
  remake_class: ColumnTypes["orders.remake_class"] | null;
  remake_bears: ColumnTypes["orders.remake_bears"] | null;
  receipt_reminded: Generated<number>;
  receiver_shares: boolean | null;
  made_by: string | null;
}
export interface PackageArrivalTable {
  id: string;
  file_name: string;
  bytes: number;
  sha256: string | null;
  created_by: string;
  created_at: Generated<string>;
}
export interface PackageDownloadTable {
  package_id: string;
  id: string;
  user_id: string | null;
  device_id: string | null;
  institution_id: string | null;
  at: Generated<string>;
}
export interface PacsDestinationTable {
  institution_id: string;
  id: string;
  name: string;
  title: string;
  host: string;
  port: number;
  tls: boolean;
  created_by: string;
  created_at: Generated<string>;
  reached_at: string | null;
  failed_at: string | null;
  problem: ColumnTypes["pacs_destination.problem"] | null;
}
export interface PacsTaskTable {
  institution_id: string;
  id: string;
  destination_id: string;
  study_id: string | null;
  report: ColumnTypes["pacs_task.report"] | null;
  state: Generated<"waiting" | "sending" | "sent" | "failed" | "cancelled">;
  tries: Generated<number>;
  total: Generated<number>;
  delivered: Generated<string[]>;
  warnings: Generated<number>;
  problem: ColumnTypes["pacs_task.problem"] | null;
  detail: string | null;
  created_by: string | null;
  created_at: Generated<string>;
  next_at: Generated<string>;
  finished_at: string | null;
}
export interface PasskeyTable {
  id: string;
  user_id: string;
  name: string;
  public_key: Buffer;
  counter: number;
  transports: Generated<string[]>;
  made_at: Generated<string>;
  used_at: string | null;
}
export interface PatientTable {
  institution_id: string;
  id: string;
  number: string;
  name: string;
  sex: "male" | "female" | "other";
  birth_date: string | null;
  age_given: number | null;
  age_given_on: string | null;
  phone: string | null;
  fixed_line: string | null;
  email: string | null;
  mail_address: string | null;
  id_number: string | null;
  passport: string | null;
  driving_licence: string | null;
  insurance_number: string | null;
  certificate_number: string | null;
  entry_number: string | null;
  allergies: string | null;
  past_history: string | null;
  diabetes: boolean | null;
  hypertension: boolean | null;
  family_genetics: string | null;
  habits: Generated<ColumnTypes["patient.habits"]>;
  remark: string | null;
  created_by: string;
  created_at: Generated<string>;
  recent_visit_at: Generated<string>;
  deleted_at: string | null;
  version: Generated<number>;
  haystack: string;
  grams: string[];
  sort_name: string;
  inspection_number: string | null;
  inspected_at: string | null;
  merged_into: string | null;
  last_visit_at: string | null;
  updated_at: Generated<string>;
}
export interface PatientCounterTable {
  institution_id: string;
  last: Generated<number>;
  living: Generated<number>;
}
export interface PatientDownloadTable {
  institution_id: string;
  id: string;
  patient_id: string;
  user_id: string;
  language: ColumnTypes["patient_download.language"];
  created_at: Generated<string>;
}
export interface PatientMergeTable {
  institution_id: string;
  id: string;
  kept_id: string;
  merged_id: string;
  before: ColumnTypes["patient_merge.before"];
  after: ColumnTypes["patient_merge.after"];
  moved: ColumnTypes["patient_merge.moved"];
  merged_by: string;
  merged_at: Generated<string>;
  undone_by: string | null;
  undone_at: string | null;
}
export interface PatientReadingTable {
  institution_id: string;
  patient_id: string;
  user_id: string;
  at: Generated<string>;
}
export interface ProviderGrantTable {
  institution_id: string;
  user_id: string;
  issuer: string;
  authority_id: number;
  joined: boolean;
  granted_at: Generated<string>;
}
export interface QuotaLedgerTable {
  institution_id: string;
  id: Generated<number>;
  analysis_id: string | null;
  kind: "grant" | "reserve" | "commit" | "release" | "expire";
  source: string | null;
  amount: number;
  at: Generated<string>;
  period_id: string | null;
}
export interface ReadinessTable {
  id: number;
  at: string;
}
export interface RecoveryCodeTable {
  user_id: string;
  hash: string;
  used_at: string | null;
}
export interface RelationTable {
  id: string;
  institution_id: string;
  target_id: string;
  state: ColumnTypes["relation.state"];
  requested_by: string;
  requested_at: Generated<string>;
  resent_at: string | null;
  decided_at: string | null;
  established_at: string | null;
  left_by: string | null;
  left_at: string | null;
  reason: string | null;
  hidden_by: Generated<string[]>;
  version: Generated<number>;
  ended_at: string | null;
  terms: Generated<ColumnTypes["relation.terms"]>;
}
export interface RelationEventTable {
  relation_id: string;
  id: string;
  seq: Generated<number>;
  institution_id: string | null;
  user_id: string | null;
  at: Generated<string>;
  action: ColumnTypes["relation_event.action"];
  to_state: ColumnTypes["relation_event.to_state"];
  reason: string | null;
}
export interface RelationInvitationTable {
  institution_id: string;
  id: string;
  email: string;
  name: string | null;
  invited_by: string;
  state: Generated<"waiting" | "answered" | "withdrawn">;
  relation_id: string | null;
  created_at: Generated<string>;
}
export interface RepeatedTaskTable {
  name: string;
  every_seconds: number;
  tolerated_seconds: number;
  registered_at: Generated<string>;
  succeeded_at: string | null;
  failed_at: string | null;
  failures: Generated<number>;
  error: string | null;
}
export interface ReportTable {
  institution_id: string;
  id: string;
  patient_id: string;
  number: string;
  source: "manual" | "ai";
  state: "draft" | "in_review" | "signed" | "amended" | "withdrawn";
  version: Generated<number>;
  form: ColumnTypes["report.form"];
  basis: ColumnTypes["report.basis"];
  content: ColumnTypes["report.content"] | null;
  norms: string | null;
  score: number | null;
  created_by: string;
  created_at: Generated<string>;
  saved_by: string;
  saved_at: Generated<string>;
  signed_by: string | null;
  signed_at: string | null;
  licence: string | null;
  sha256: string | null;
  previous_id: string | null;
  ended_by: string | null;
  ended_at: string | null;
  reason: string | null;
}
export interface ReportCounterTable {
  institution_id: string;
  last: number;
}
export interface ReportPaperTable {
  institution_id: string;
  report_id: string;
  language: string;
  sha256: string;
  bytes: number;
}
export interface ReportPictureTable {
  institution_id: string;
  report_id: string;
  instance_id: string;
  box: string;
  sha256: string;
  width: number;
  height: number;
}
export interface ScimGroupTable {
  institution_id: string;
  id: string;
  display_name: string;
  external_id: string | null;
  authority_id: number | null;
  created_at: Generated<string>;
  updated_at: Generated<string>;
  version: Generated<number>;
}
export interface ScimGroupMemberTable {
  institution_id: string;
  group_id: string;
  member_id: string;
}
export interface ScimUserTable {
  institution_id: string;
  id: string;
  user_name: string;
  external_id: string | null;
  display_name: string | null;
  given_name: string | null;
  family_name: string | null;
  formatted_name: string | null;
  emails: ColumnTypes["scim_user.emails"];
  email: string;
  active: boolean;
  account_id: string | null;
  admission_id: string | null;
  granted_authority: number | null;
  created_at: Generated<string>;
  updated_at: Generated<string>;
  version: Generated<number>;
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
export interface SeriesTable {
  institution_id: string;
  id: string;
  study_id: string;
  kind: "volume" | "pictures" | "models";
  uid: string | null;
  place: number;
  modality: string | null;
  description: string | null;
  problems: Generated<ColumnTypes["series.problems"]>;
  volume: ColumnTypes["series.volume"] | null;
  preview: ColumnTypes["series.preview"] | null;
  thumbnail: string | null;
  job_id: string | null;
}
export interface SessionTable {
  id: string;
  user_id: string;
  chain: string;
  token_hash: string;
  sid_hash: string | null;
  kind: "browser" | "api";
  institution_id: string | null;
  authority_id: number;
  remember: Generated<boolean>;
  agent: Generated<string>;
  address: string | null;
  created_at: Generated<string>;
  chain_since: Generated<string>;
  seen_at: Generated<string>;
  expires_at: string;
  rotated_at: string | null;
  ended_at: string | null;
  end_reason: string | null;
  idle_seconds: number | null;
  locked_at: string | null;
  proven_at: string | null;
}
export interface ShareTable {
  institution_id: string;
  id: string;
  kind: "study" | "order";
  thing_id: string;
  patient_id: string;
  label: string;
  secret_hash: string;
  factor: "none" | "email" | "phone" | "birthDate" | "phrase";
  factor_hash: string | null;
  email: string | null;
  nameless: boolean;
  may_download: boolean;
  state: Generated<"active" | "locked" | "cancelled" | "expired">;
  created_by: string;
  created_at: Generated<string>;
  expires_at: string;
  ended_at: string | null;
  failures: Generated<number>;
  failed_at: Generated<string[]>;
  code_hash: string | null;
  code_until: string | null;
  code_tries: Generated<number>;
  codes_at: Generated<string[]>;
  opens: Generated<number>;
  last_open_at: string | null;
  pictures: Generated<boolean>;
  revisions: Generated<string[]>;
  house_id: string;
  code_sealed: Generated<ColumnTypes["share.code_sealed"]>;
}
export interface ShareEventTable {
  institution_id: string;
  share_id: string;
  seq: Generated<number>;
  at: Generated<string>;
  what: ColumnTypes["share_event.what"];
  user_id: string | null;
  address: string | null;
  agent: string | null;
}
export interface ShareVisitTable {
  id: string;
  institution_id: string;
  share_id: string;
  token_hash: string;
  cookie_hash: string;
  expires_at: string;
  ended_at: string | null;
}
export interface SmartAppTable {
  institution_id: string;
  id: string;
  name: string;
  kind: "public" | "secret" | "keys";
  redirect_uris: string[];
  launch_url: string | null;
  scopes: string[];
  secret_hash: string | null;
  keys: string | null;
  created_by: string;
  created_at: Generated<string>;
  last_used_at: string | null;
  revoked_at: string | null;
}
export interface SmartGrantTable {
  institution_id: string;
  id: string;
  app_id: string;
  user_id: string | null;
  authority_id: number;
  patient_id: string | null;
  scopes: string[];
  code_hash: string | null;
  code_expires_at: string | null;
  code_used_at: string | null;
  challenge: string | null;
  redirect_uri: string | null;
  created_at: Generated<string>;
  used_at: string | null;
  expires_at: string;
  ended_at: string | null;
  end_reason: "revoked" | "appRevoked" | "codeReplayed" | "refreshReplayed" | null;
}
export interface SmartTokenTable {
  institution_id: string;
  id: string;
  grant_id: string;
  hash: string;
  kind: "access" | "refresh";
  scopes: string[];
  created_at: Generated<string>;
  expires_at: string;
  used_at: string | null;
}
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
  page: "patient" | "scan" | "viewing" | "reporting" | "tool" | "other";
  description: string;
  state: Generated<"open" | "answered" | "fixed">;
  fixed_in: string | null;
  created_by: string;
  created_at: Generated<string>;
  changed_at: Generated<string>;
  version: Generated<number>;
}
export interface StorageTable {
  id: string;
  made_at: Generated<string>;
}
export interface StorageTallyTable {
  institution_id: string;
  kind: "originals" | "converted" | "uploads";
  files: number;
  bytes: number;
}
export interface StoredFileTable {
  institution_id: string;
  sha256: string;
  bytes: number;
  created_at: Generated<string>;
}
export interface StudyTable {
  institution_id: string;
  id: string;
  patient_id: string | null;
  kind: ColumnTypes["study.kind"];
  kind_certain: boolean;
  photo_view: ColumnTypes["study.photo_view"] | null;
  state: "converting" | "ready" | "unconverted" | "failed";
  uid: string | null;
  taken_at: string | null;
  description: string | null;
  modality: string | null;
  header: Generated<ColumnTypes["study.header"]>;
  count: number;
  bytes: number;
  thumbnail: string | null;
  created_by: string;
  created_at: Generated<string>;
  used_at: Generated<string>;
  deleted_at: string | null;
  job_id: string | null;
  origin: Generated<"upload" | "stow" | "dimse" | "device">;
}
export interface StudyDownloadTable {
  institution_id: string;
  id: string;
  user_id: string | null;
  owner_id: string;
  order_id: string | null;
  studies: string[];
  nameless: ColumnTypes["study_download.nameless"] | null;
  language: string;
  state: Generated<"waiting" | "running" | "done" | "failed">;
  files: number;
  done: Generated<number>;
  created_at: Generated<string>;
}
export interface StudyMarksTable {
  institution_id: string;
  study_id: string;
  version: number;
  marks: ColumnTypes["study_marks.marks"];
  saved_by: string;
  saved_at: Generated<string>;
}
export interface StudyMarksVersionTable {
  institution_id: string;
  study_id: string;
  version: number;
  marks: ColumnTypes["study_marks_version.marks"];
  saved_by: string;
  saved_at: string;
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
  patient_id: string;
  files: Generated<ColumnTypes["study_question.files"]>;
  asked_at: Generated<string>;
}
export interface TakingTable {
  institution_id: string;
  id: string;
  kind: "everything" | "trail" | "orders" | "patients" | "fhir";
  state: Generated<"waiting" | "running" | "done" | "failed" | "cancelled" | "expired">;
  progress: Generated<number>;
  language: ColumnTypes["taking.language"];
  sha256: string | null;
  bytes: number | null;
  refusal: string | null;
  request: ColumnTypes["taking.request"] | null;
  created_by: string;
  created_at: Generated<string>;
  finished_at: string | null;
  expires_at: string | null;
}
export interface TakingFileTable {
  institution_id: string;
  taking_id: string;
  place: number;
  type: string;
  sha256: string;
  bytes: number;
  lines: number;
}
export interface TicketTable {
  hash: string;
  kind: string;
  target: string;
  data: Generated<ColumnTypes["ticket.data"]>;
  expires_at: string;
  used_at: string | null;
}
export interface ToothChartTable {
  institution_id: string;
  patient_id: string;
  version: number;
  content: ColumnTypes["tooth_chart.content"];
  changed: number[];
  restored_from: number | null;
  by_user: string;
  at: Generated<string>;
}
export interface TotpTable {
  user_id: string;
  sealed: string;
  last_step: Generated<number>;
  made_at: Generated<string>;
  confirmed_at: string | null;
}
export interface UnneededTable {
  store_id: string;
  area: "originals" | "converted";
  sha256: string;
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
  state: Generated<"published" | "withdrawn">;
  published_by: string;
  published_at: Generated<string>;
  withdrawn_by: string | null;
  withdrawn_at: string | null;
  withdrawal_reason: string | null;
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
export interface UsersTable {
  id: string;
  user_name: Generated<string>;
  nick_name: Generated<string>;
  gender: "male" | "female" | null;
  birthday: string | null;
  country: string | null;
  address: string | null;
  language: Generated<ColumnTypes["users.language"]>;
  avatar: string | null;
  intended_role: string | null;
  password_hash: string | null;
  init_status: Generated<number>;
  suspended_at: string | null;
  created_at: Generated<string>;
  passkey_second: Generated<boolean>;
  terms_version: string | null;
  agreed_at: string | null;
  work_phone: string | null;
}
export interface VerificationTable {
  id: string;
  target: string;
  purpose: string;
  code_hash: string;
  tries: Generated<number>;
  created_at: Generated<string>;
  expires_at: string;
  used_at: string | null;
  asker: Generated<string>;
  browser: string | null;
  sealed: Generated<ColumnTypes["verification.sealed"]>;
}
export interface VisitTable {
  institution_id: string;
  id: string;
  patient_id: string;
  at: string;
  dentist_id: string;
  content: ColumnTypes["visit.content"];
  version: Generated<number>;
  created_by: string;
  created_at: Generated<string>;
  changed_by: string;
  changed_at: Generated<string>;
  deleted_at: string | null;
  deleted_by: string | null;
  delete_reason: string | null;
}
export interface VisitFileTable {
  institution_id: string;
  visit_id: string;
  id: string;
  name: string;
  bytes: number;
  sha256: string;
  added_by: string;
  added_at: Generated<string>;
}
export interface VisitVersionTable {
  institution_id: string;
  visit_id: string;
  version: number;
  at: string;
  dentist_id: string;
  content: ColumnTypes["visit_version.content"];
  saved_by: string;
  saved_at: string;
}
export interface WebhookTable {
  institution_id: string;
  id: string;
  name: string;
  url: string;
  events: ColumnTypes["webhook.events"];
  secret: string;
  old_secret: string | null;
  old_secret_until: string | null;
  state: Generated<"on" | "off" | "stopped">;
  failing_since: string | null;
  delivered_at: string | null;
  created_by: string;
  created_at: Generated<string>;
}
export interface WebhookDeliveryTable {
  institution_id: string;
  webhook_id: string;
  id: string;
  event: ColumnTypes["webhook_delivery.event"];
  body: string;
  state: Generated<"waiting" | "delivered" | "failed">;
  tries: Generated<number>;
  created_at: Generated<string>;
  next_at: Generated<string>;
  held_until: string | null;
  last_try_at: string | null;
  status: number | null;
  milliseconds: number | null;
  problem: ColumnTypes["webhook_delivery.problem"] | null;
}
export interface WorkOrderTable {
  id: string;
  number: string;
  type: "installation" | "move_machine" | "repair";
  state: Generated<"new" | "in_progress" | "transfer_review" | "acceptance_review" | "finished" | "closed">;
  clinic_id: string;
  institution_id: string | null;
  device_id: string | null;
  product: string;
  model: string;
  serial_number: string;
  description: string;
  contact: string;
  contact_phone: string;
  alternate_contact: string | null;
  alternate_phone: string | null;
  tracking_number: string | null;
  to_clinic_id: string | null;
  to_address: string | null;
  assignee_id: string | null;
  alternate_id: string | null;
  planned_at: string | null;
  plan_changes: Generated<number>;
  recalled_at: string | null;
  reviewer_id: string | null;
  created_by: string;
  created_side: "clinic" | "service";
  created_at: Generated<string>;
  started_at: string | null;
  submitted_at: string | null;
  finished_at: string | null;
  closed_at: string | null;
  outcome: "done" | "void" | null;
  rework_count: Generated<number>;
  finish_serial: Generated<string>;
  finish_description: Generated<string>;
  finish_parts: Generated<ColumnTypes["work_order.finish_parts"]>;
  haystack: string;
  grams: string[];
  version: Generated<number>;
}
export interface WorkOrderCounterTable {
  day: string;
  last: number;
}
export interface WorkOrderEventTable {
  id: string;
  seq: Generated<number>;
  work_order_id: string;
  institution_id: string | null;
  user_id: string | null;
  at: Generated<string>;
  action: ColumnTypes["work_order_event.action"] | null;
  to_state: ColumnTypes["work_order_event.to_state"] | null;
  text: string | null;
  inner_only: boolean;
}
export interface WorkOrderFileTable {
  id: string;
  work_order_id: string;
  institution_id: string | null;
  role: "report" | "picture" | "attachment" | "receipt";
  name: string;
  bytes: number;
  content: string | null;
  sha256: string | null;
  shown_sha256: string | null;
  shown_width: number | null;
  shown_height: number | null;
  thumbnail_sha256: string | null;
  created_by: string;
  created_at: Generated<string>;
}
export interface WorkOrderReadTable {
  work_order_id: string;
  user_id: string;
  at: Generated<string>;
}

/** Every table of the database, by the name that SQL uses. */
export interface Tables {
  admission: AdmissionTable;
  analysis: AnalysisTable;
  analysis_artefact: AnalysisArtefactTable;
  api_key: ApiKeyTable;
  arrival: ArrivalTable;
  audit: AuditTable;
  audit_anchor: AuditAnchorTable;
  audit_check: AuditCheckTable;
  audit_epoch: AuditEpochTable;
  audit_gap: AuditGapTable;
  backup_run: BackupRunTable;
  capacity_card: CapacityCardTable;
  capacity_payment: CapacityPaymentTable;
  capacity_period: CapacityPeriodTable;
  capacity_try: CapacityTryTable;
  ceph_tracing: CephTracingTable;
  ceph_tracing_version: CephTracingVersionTable;
  chart_decision: ChartDecisionTable;
  cleaned_file: CleanedFileTable;
  clinic: ClinicTable;
  clinic_join: ClinicJoinTable;
  code_key: CodeKeyTable;
  consent: ConsentTable;
  contact: ContactTable;
  converted_file: ConvertedFileTable;
  device: DeviceTable;
  device_consent: DeviceConsentTable;
  device_event: DeviceEventTable;
  device_try: DeviceTryTable;
  dicom_instance: DicomInstanceTable;
  dicom_series: DicomSeriesTable;
  dicom_study: DicomStudyTable;
  engine_included: EngineIncludedTable;
  engine_on_upload: EngineOnUploadTable;
  engine_pack: EnginePackTable;
  engine_pack_permission: EnginePackPermissionTable;
  engine_remote: EngineRemoteTable;
  error_report: ErrorReportTable;
  feedback_file: FeedbackFileTable;
  feedback_word: FeedbackWordTable;
  file_fault: FileFaultTable;
  film_mount: FilmMountTable;
  hl7_connection: Hl7ConnectionTable;
  hl7_message: Hl7MessageTable;
  hl7_order: Hl7OrderTable;
  idempotency: IdempotencyTable;
  identity: IdentityTable;
  implant_document: ImplantDocumentTable;
  implant_library: ImplantLibraryTable;
  imported_audit: ImportedAuditTable;
  imported_row: ImportedRowTable;
  ingest_content: IngestContentTable;
  ingest_job: IngestJobTable;
  installation_setting: InstallationSettingTable;
  instance: InstanceTable;
  institution: InstitutionTable;
  institution_quota: InstitutionQuotaTable;
  intake: IntakeTable;
  known_device: KnownDeviceTable;
  letter_count: LetterCountTable;
  login_failure: LoginFailureTable;
  membership: MembershipTable;
  notice: NoticeTable;
  notice_preference: NoticePreferenceTable;
  notice_switch: NoticeSwitchTable;
  observation: ObservationTable;
  order_download: OrderDownloadTable;
  order_entry: OrderEntryTable;
  order_event: OrderEventTable;
  order_file: OrderFileTable;
  order_glb: OrderGlbTable;
  order_lab_template: OrderLabTemplateTable;
  order_lab_words: OrderLabWordsTable;
  order_look: OrderLookTable;
  order_message: OrderMessageTable;
  order_picture: OrderPictureTable;
  order_pin: OrderPinTable;
  order_pin_answer: OrderPinAnswerTable;
  order_proposal: OrderProposalTable;
  order_reading: OrderReadingTable;
  order_revision: OrderRevisionTable;
  order_revision_opening: OrderRevisionOpeningTable;
  order_rx: OrderRxTable;
  order_tally: OrderTallyTable;
  order_template: OrderTemplateTable;
  orders: OrdersTable;
  package_arrival: PackageArrivalTable;
  package_download: PackageDownloadTable;
  pacs_destination: PacsDestinationTable;
  pacs_task: PacsTaskTable;
  passkey: PasskeyTable;
  patient: PatientTable;
  patient_counter: PatientCounterTable;
  patient_download: PatientDownloadTable;
  patient_merge: PatientMergeTable;
  patient_reading: PatientReadingTable;
  provider_grant: ProviderGrantTable;
  quota_ledger: QuotaLedgerTable;
  readiness: ReadinessTable;
  recovery_code: RecoveryCodeTable;
  relation: RelationTable;
  relation_event: RelationEventTable;
  relation_invitation: RelationInvitationTable;
  repeated_task: RepeatedTaskTable;
  report: ReportTable;
  report_counter: ReportCounterTable;
  report_paper: ReportPaperTable;
  report_picture: ReportPictureTable;
  scim_group: ScimGroupTable;
  scim_group_member: ScimGroupMemberTable;
  scim_user: ScimUserTable;
  scrub: ScrubTable;
  series: SeriesTable;
  session: SessionTable;
  share: ShareTable;
  share_event: ShareEventTable;
  share_visit: ShareVisitTable;
  smart_app: SmartAppTable;
  smart_grant: SmartGrantTable;
  smart_token: SmartTokenTable;
  software_feedback: SoftwareFeedbackTable;
  storage: StorageTable;
  storage_tally: StorageTallyTable;
  stored_file: StoredFileTable;
  study: StudyTable;
  study_download: StudyDownloadTable;
  study_marks: StudyMarksTable;
  study_marks_version: StudyMarksVersionTable;
  study_person: StudyPersonTable;
  study_question: StudyQuestionTable;
  taking: TakingTable;
  taking_file: TakingFileTable;
  ticket: TicketTable;
  tooth_chart: ToothChartTable;
  totp: TotpTable;
  unneeded: UnneededTable;
  upgrade_package: UpgradePackageTable;
  upload: UploadTable;
  users: UsersTable;
  verification: VerificationTable;
  visit: VisitTable;
  visit_file: VisitFileTable;
  visit_version: VisitVersionTable;
  webhook: WebhookTable;
  webhook_delivery: WebhookDeliveryTable;
  work_order: WorkOrderTable;
  work_order_counter: WorkOrderCounterTable;
  work_order_event: WorkOrderEventTable;
  work_order_file: WorkOrderFileTable;
  work_order_read: WorkOrderReadTable;
}
