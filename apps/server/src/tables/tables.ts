import type {
  AnalysisArtefactTable,
  AnalysisTable,
  EnginePackPermissionTable,
  EnginePackTable,
  EngineRemoteTable,
  ObservationTable,
  QuotaLedgerTable,
} from "./analysis.ts";
import type { OrderDownloadTable } from "./order/order-download.ts";
import type {
  ContactTable,
  KnownDeviceTable,
  LoginFailureTable,
  SessionTable,
  TicketTable,
  UsersTable,
  VerificationTable,
} from "./account/account.ts";
import type { CapacityCardTable, CapacityPaymentTable, CapacityPeriodTable, CapacityTryTable } from "./capacity.ts";
import type { CephTracingTable, CephTracingVersionTable } from "./ceph.ts";
import type { IdentityTable, PasskeyTable, RecoveryCodeTable, TotpTable } from "./account/factor.ts";
import type { ErrorReportTable } from "./account/error-report.ts";
import type { LetterCountTable } from "./account/email-count.ts";
import type { FileFaultTable, ScrubTable, StorageTable, StoredFileTable, UnneededTable, UploadTable } from "./files.ts";
import type {
  AdmissionTable,
  InstitutionTable,
  MembershipTable,
  RelationEventTable,
  RelationInvitationTable,
  RelationTable,
} from "./institution.ts";
import type { ClinicJoinTable, ClinicTable } from "./service/clinic.ts";
import type { ChartDecisionTable, ToothChartTable } from "./chart.ts";
import type { DicomInstanceTable, DicomSeriesTable, DicomStudyTable } from "./dicomweb.ts";
import type { DeviceConsentTable, DeviceEventTable, DeviceTable, DeviceTryTable } from "./service/device.ts";
import type { IntakeTable } from "./intake.ts";
import type { ApiKeyTable, WebhookDeliveryTable, WebhookTable } from "./integrations.ts";
import type { AuditAnchorTable, AuditCheckTable, AuditEpochTable, AuditTable, IdempotencyTable } from "./platform.ts";
import type { ArrivalTable, ImportedAuditTable, ImportedRowTable, TakingTable } from "./data-transfer.ts";
import type { NoticeSwitchTable, NoticeTable } from "./notice.ts";
import type {
  OrderEventTable,
  OrderFileTable,
  OrderGlbTable,
  OrderMessageTable,
  OrderProposalTable,
  OrderRevisionTable,
  OrderRxTable,
  OrdersTable,
} from "./order/order.ts";
import type { ReportCounterTable, ReportPaperTable, ReportPictureTable, ReportTable } from "./report.ts";
import type { OrderEntryTable, OrderLookTable, OrderTallyTable } from "./order/order-list.ts";
import type { OrderTemplateTable } from "./order/order-template.ts";
import type { CleanedFileTable, StudyDownloadTable } from "./study-download.ts";
import type {
  OrderPictureTable,
  OrderPinAnswerTable,
  OrderPinTable,
  OrderReadingTable,
} from "./order/order-messages.ts";
import type { ShareEventTable, ShareTable, ShareVisitTable } from "./share.ts";
import type {
  ConsentTable,
  PatientDownloadTable,
  VisitFileTable,
  VisitTable,
  VisitVersionTable,
} from "./patient-record.ts";
import type { PatientCounterTable, PatientMergeTable, PatientTable } from "./patient.ts";
import type {
  ConvertedFileTable,
  IngestContentTable,
  IngestJobTable,
  InstanceTable,
  SeriesTable,
  StudyMarksTable,
  StudyMarksVersionTable,
  FilmMountTable,
  StudyPersonTable,
  StudyQuestionTable,
  StudyTable,
} from "./study.ts";
import type {
  FeedbackFileTable,
  FeedbackWordTable,
  PackageArrivalTable,
  PackageDownloadTable,
  SoftwareFeedbackTable,
  UpgradePackageTable,
} from "./service/upgrade.ts";

/** Every table of the database, by the name that SQL uses. */
import type {
  WorkOrderCounterTable,
  WorkOrderEventTable,
  WorkOrderFileTable,
  WorkOrderReadTable,
  WorkOrderTable,
} from "./service/workorder.ts";

export interface Tables {
  audit: AuditTable;
  audit_anchor: AuditAnchorTable;
  audit_check: AuditCheckTable;
  audit_epoch: AuditEpochTable;
  idempotency: IdempotencyTable;
  users: UsersTable;
  contact: ContactTable;
  session: SessionTable;
  verification: VerificationTable;
  ticket: TicketTable;
  login_failure: LoginFailureTable;
  known_device: KnownDeviceTable;
  error_report: ErrorReportTable;
  letter_count: LetterCountTable;
  totp: TotpTable;
  recovery_code: RecoveryCodeTable;
  passkey: PasskeyTable;
  identity: IdentityTable;
  institution: InstitutionTable;
  membership: MembershipTable;
  admission: AdmissionTable;
  clinic: ClinicTable;
  clinic_join: ClinicJoinTable;
  relation: RelationTable;
  taking: TakingTable;
  arrival: ArrivalTable;
  imported_audit: ImportedAuditTable;
  imported_row: ImportedRowTable;
  relation_event: RelationEventTable;
  relation_invitation: RelationInvitationTable;
  notice: NoticeTable;
  notice_switch: NoticeSwitchTable;
  storage: StorageTable;
  stored_file: StoredFileTable;
  upload: UploadTable;
  unneeded: UnneededTable;
  scrub: ScrubTable;
  file_fault: FileFaultTable;
  patient: PatientTable;
  patient_merge: PatientMergeTable;
  patient_counter: PatientCounterTable;
  visit: VisitTable;
  visit_version: VisitVersionTable;
  visit_file: VisitFileTable;
  consent: ConsentTable;
  patient_download: PatientDownloadTable;
  study: StudyTable;
  series: SeriesTable;
  instance: InstanceTable;
  converted_file: ConvertedFileTable;
  study_person: StudyPersonTable;
  study_question: StudyQuestionTable;
  study_marks: StudyMarksTable;
  study_marks_version: StudyMarksVersionTable;
  film_mount: FilmMountTable;
  tooth_chart: ToothChartTable;
  chart_decision: ChartDecisionTable;
  ceph_tracing: CephTracingTable;
  ceph_tracing_version: CephTracingVersionTable;
  analysis: AnalysisTable;
  analysis_artefact: AnalysisArtefactTable;
  observation: ObservationTable;
  engine_pack: EnginePackTable;
  engine_pack_permission: EnginePackPermissionTable;
  engine_remote: EngineRemoteTable;
  quota_ledger: QuotaLedgerTable;
  capacity_card: CapacityCardTable;
  capacity_period: CapacityPeriodTable;
  capacity_payment: CapacityPaymentTable;
  capacity_try: CapacityTryTable;
  share: ShareTable;
  share_visit: ShareVisitTable;
  share_event: ShareEventTable;
  intake: IntakeTable;
  ingest_job: IngestJobTable;
  ingest_content: IngestContentTable;
  dicom_study: DicomStudyTable;
  dicom_series: DicomSeriesTable;
  dicom_instance: DicomInstanceTable;
  orders: OrdersTable;
  order_entry: OrderEntryTable;
  order_tally: OrderTallyTable;
  order_look: OrderLookTable;
  order_rx: OrderRxTable;
  order_revision: OrderRevisionTable;
  order_file: OrderFileTable;
  order_proposal: OrderProposalTable;
  order_glb: OrderGlbTable;
  order_reading: OrderReadingTable;
  order_pin: OrderPinTable;
  order_pin_answer: OrderPinAnswerTable;
  order_picture: OrderPictureTable;
  cleaned_file: CleanedFileTable;
  study_download: StudyDownloadTable;
  order_download: OrderDownloadTable;
  order_event: OrderEventTable;
  order_template: OrderTemplateTable;
  order_message: OrderMessageTable;
  api_key: ApiKeyTable;
  report: ReportTable;
  report_counter: ReportCounterTable;
  report_picture: ReportPictureTable;
  report_paper: ReportPaperTable;
  webhook: WebhookTable;
  webhook_delivery: WebhookDeliveryTable;
  device: DeviceTable;
  device_consent: DeviceConsentTable;
  device_event: DeviceEventTable;
  device_try: DeviceTryTable;
  software_feedback: SoftwareFeedbackTable;
  feedback_word: FeedbackWordTable;
  feedback_file: FeedbackFileTable;
  package_arrival: PackageArrivalTable;
  upgrade_package: UpgradePackageTable;
  package_download: PackageDownloadTable;
  work_order: WorkOrderTable;
  work_order_counter: WorkOrderCounterTable;
  work_order_event: WorkOrderEventTable;
  work_order_file: WorkOrderFileTable;
  work_order_read: WorkOrderReadTable;
}
