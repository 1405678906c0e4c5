import { completeAccountCalls } from "./account/complete-account.calls.ts";
import { contactCalls } from "./account/contacts.calls.ts";
import { countryCalls } from "./account/countries.calls.ts";
import { errorReportCalls } from "./account/error-reports.calls.ts";
import { exchangeCodeCalls } from "./account/exchange-code.calls.ts";
import { launchCalls } from "./account/launch-code.calls.ts";
import { legalTextCalls } from "./account/legal-texts.calls.ts";
import { loginPageCalls } from "./account/login-page.calls.ts";
import { passwordCalls } from "./account/password.calls.ts";
import { profileCalls } from "./account/profile.calls.ts";
import { registrationCalls } from "./account/registration.calls.ts";
import { sessionCalls } from "./account/session.calls.ts";
import { setupCalls } from "./account/setup.calls.ts";
import { signInCalls } from "./account/sign-in.calls.ts";
import { analysisCalls } from "./analysis/analysis.calls.ts";
import { capacityCalls } from "./capacity/capacity.calls.ts";
import { chartCalls } from "./chart/chart.calls.ts";
import { cephCalls } from "./ceph/ceph.calls.ts";
import { clinicCalls } from "./clinic/clinic.calls.ts";
import { serviceFigureCalls } from "./clinic/service-figures.calls.ts";
import { feedbackCalls } from "./feedback/feedback.calls.ts";
import { deviceCalls } from "./device/device.calls.ts";
import { factorCalls } from "./factor/factor.calls.ts";
import { linkedIdentityCalls } from "./factor/linked-identities.calls.ts";
import { passkeySignInCalls } from "./factor/passkey-sign-in.calls.ts";
import { secondStepCalls } from "./factor/second-step.calls.ts";
import { firstStepCalls } from "./institution/first-steps.calls.ts";
import { implantCalls } from "./implant/implant.calls.ts";
import { institutionCalls } from "./institution/institution.calls.ts";
import { integrationCalls } from "./integrations/integrations.calls.ts";
import { labAgentReportCalls } from "./integrations/lab-agent-report.calls.ts";
import { consentCalls } from "./consent/consent.calls.ts";
import { dashboardCalls } from "./dashboard/dashboard.calls.ts";
import type { Call } from "./kernel/call.ts";
import { dataExportCalls } from "./data-export/data-export.calls.ts";
import { memberCalls } from "./member/member.calls.ts";
import { noticeCalls } from "./notice/notice.calls.ts";
import { noticeGroupCalls } from "./notice/notice-group.calls.ts";
import { labAgentCalls } from "./order/lab-agent.calls.ts";
import { forwardCalls } from "./order/forwarding.calls.ts";
import { downloadCalls } from "./order/download.calls.ts";
import { listCalls } from "./order/order-list.calls.ts";
import { operatorCalls } from "./operator/operator.calls.ts";
import { orderTodayCalls } from "./order/order-today.calls.ts";
import { orderCalls } from "./order/order.calls.ts";
import { labProgramCalls } from "./order/lab-program.calls.ts";
import { templateCalls } from "./order/template.calls.ts";
import { messageCalls } from "./order/message-reading-and-pins.calls.ts";
import { prescriptionCalls } from "./order/prescription-paper.calls.ts";
import { sharedOrderCalls } from "./order/shared-order.calls.ts";
import { patientMergeCalls } from "./patient/patient-merge.calls.ts";
import { patientCalls } from "./patient/patient.calls.ts";
import { practiceCalls } from "./patient/practice.calls.ts";
import { patientRecordCalls } from "./patient/patient-timeline-and-erasure.calls.ts";
import { relationCalls } from "./relation/relation.calls.ts";
import { reportCalls } from "./report/report.calls.ts";
import { shareCalls } from "./share/share.calls.ts";
import { inboxCalls } from "./study/inbox.calls.ts";
import { moveStudyCalls } from "./study/move-study.calls.ts";
import { studyBinCalls } from "./study/study-bin.calls.ts";
import { mountCalls } from "./study/series-mount.calls.ts";
import { studyQuestionCalls } from "./study/study-question.calls.ts";
import { presentationCalls } from "./study/presentation-state.calls.ts";
import { segmentationCalls } from "./study/segmentation.calls.ts";
import { studyDownloadCalls } from "./study/study-download.calls.ts";
import { sharedStudyCalls } from "./study/shared-study.calls.ts";
import { annotationCalls } from "./study/annotation.calls.ts";
import { conversionCalls } from "./study/conversion.calls.ts";
import { uploadJobCalls } from "./study/upload-job.calls.ts";
import { studyCalls } from "./study/study.calls.ts";
import { hl7Calls } from "./hl7/hl7.calls.ts";
import { pacsCalls } from "./pacs/pacs.calls.ts";
import { smartCalls } from "./smart/smart.calls.ts";
import { searchCalls } from "./search/search.calls.ts";
import { scimCalls } from "./scim/scim.calls.ts";
import { serviceCalls } from "./service/linked-records.calls.ts";
import { auditCalls } from "./audit/audit.calls.ts";
import { agentProgramCalls, upgradeCalls } from "./upgrade/upgrade.calls.ts";
import { visitCalls } from "./visit/visit.calls.ts";
import { workorderCalls } from "./workorder/workorder.calls.ts";

/** Every call of the product, by slice. */
export const calls = {
  account: {
    ...countryCalls,
    ...loginPageCalls,
    ...signInCalls,
    ...registrationCalls,
    ...passwordCalls,
    ...exchangeCodeCalls,
    ...sessionCalls,
    ...profileCalls,
    ...contactCalls,
    ...completeAccountCalls,
    ...legalTextCalls,
    ...errorReportCalls,
    ...setupCalls,
  },
  launch: launchCalls,
  factor: { ...secondStepCalls, ...passkeySignInCalls, ...factorCalls, ...linkedIdentityCalls },
  institution: { ...institutionCalls, ...firstStepCalls },
  leaving: dataExportCalls,
  interface: integrationCalls,
  agent: { ...labAgentCalls, ...labAgentReportCalls, ...agentProgramCalls },
  scim: scimCalls,
  trail: auditCalls,
  member: memberCalls,
  relation: relationCalls,
  patient: { ...patientCalls, ...patientRecordCalls, ...patientMergeCalls },
  practice: practiceCalls,
  chart: chartCalls,
  visit: visitCalls,
  consent: consentCalls,
  study: {
    ...studyCalls,
    ...uploadJobCalls,
    ...conversionCalls,
    ...annotationCalls,
    ...inboxCalls,
    ...moveStudyCalls,
    ...studyBinCalls,
    ...mountCalls,
    ...studyDownloadCalls,
    ...presentationCalls,
    ...segmentationCalls,
    ...studyQuestionCalls,
  },
  share: { ...sharedStudyCalls, ...sharedOrderCalls, ...shareCalls },
  report: reportCalls,
  order: {
    ...orderCalls,
    ...orderTodayCalls,
    ...downloadCalls,
    ...labProgramCalls,
    ...forwardCalls,
    ...listCalls,
    ...prescriptionCalls,
    ...messageCalls,
  },
  template: templateCalls,
  analysis: analysisCalls,
  ceph: cephCalls,
  implant: implantCalls,
  notice: { ...noticeCalls, ...noticeGroupCalls },
  device: deviceCalls,
  dashboard: dashboardCalls,
  operator: operatorCalls,
  capacity: capacityCalls,
  feedback: feedbackCalls,
  upgrade: upgradeCalls,
  service: serviceCalls,
  workorder: workorderCalls,
  clinic: { ...clinicCalls, ...serviceFigureCalls },
  search: searchCalls,
  hl7: hl7Calls,
  pacs: pacsCalls,
  smart: smartCalls,
} as const satisfies Record<string, Record<string, Call>>;

export type Slice = keyof typeof calls;
/** Each call with its name as `slice.name`. */
export const everyCall = (): { name: string; row: Call }[] =>
  Object.entries(calls).flatMap(([slice, sliceCalls]) =>
    Object.entries(sliceCalls as Record<string, Call>).map(([name, call]) => ({ name: `${slice}.${name}`, row: call })),
  );
