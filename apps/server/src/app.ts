import Fastify from "fastify";
import { findUnstorablePath } from "@arcada/contract/kernel/storable";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { accountRoutes } from "./account/account.routes.ts";
import { launchRoutes } from "./account/sign-in/launch.routes.ts";
import { profileRoutes } from "./account/profile/profile.routes.ts";
import { updateSessionMemberships } from "./account/session/session-memberships.ts";
import { createOpenedAccount } from "./account/profile/opened-account.ts";
import { withStepUpProof } from "./account/factor/factor.ts";
import { factorRoutes } from "./account/factor/factor.routes.ts";
import { serveProviders } from "./account/identity-provider/identity-provider.routes.ts";
import { startAutomaticAnalysis } from "./analysis/runs/analysis.jobs.ts";
import { analysisRoutes } from "./analysis/analysis.routes.ts";
import { openTrainingArchive } from "./analysis/training/training-archive.ts";
import { findValidSessions } from "./account/session/session-lifetime.ts";
import { createAuthenticator, switchMembership } from "./account/session/session.ts";
import { serveSpeedProbe } from "./account/diagnostics/speed-probe.ts";
import { capacityRoutes } from "./capacity/capacity.routes.ts";
import { openCephDocument } from "./ceph/ceph.document.ts";
import { cephRoutes } from "./ceph/ceph.routes.ts";
import { chartRoutes } from "./chart/chart.routes.ts";
import { clinicRoutes } from "./clinic/clinic.routes.ts";
import { serveConsentUploads } from "./device/consent-upload.ts";
import { updateDevicesOnService } from "./device/device.subscribers.ts";
import { deviceRoutes } from "./device/device.routes.ts";
import { findActiveDevices, authenticateDevices } from "./device/device-key.ts";
import { serveFeedbackImages } from "./feedback/feedback.images.ts";
import { moveFeedbackToClinic } from "./feedback/feedback.subscribers.ts";
import { feedbackRoutes } from "./feedback/feedback.routes.ts";
import { integrationRoutes } from "./integrations/integrations.routes.ts";
import { findActiveApiKeys, authenticateApiKeys } from "./integrations/api-key.ts";
import { enqueueWebhooks } from "./integrations/webhook.enqueue.ts";
import { completeOpenedInstitution } from "./institution/create-institution.ts";
import { institutionRoutes } from "./institution/institution.routes.ts";
import { dashboardRoutes } from "./dashboard/dashboard.routes.ts";
import { consentRoutes } from "./consent/consent.routes.ts";
import { serveDicomweb } from "./dicomweb/dicomweb.routes.ts";
import { serveArchives } from "./platform/http/archive-routes.ts";
import type { Config } from "./platform/runtime/config.ts";
import type { Database } from "./platform/database/database.ts";
import { registerErrorHandler, redactError } from "./platform/http/errors.ts";
import { subscribe } from "./platform/events/events.ts";
import { createHolderGuard } from "./platform/live/link-holders.ts";
import type { FindValidHolders, ValidHolder } from "./platform/live/link-holders.ts";
import { createFileAccessCheck } from "./platform/storage/file-access.ts";
import { serveFiles } from "./platform/http/file-routes.ts";
import { serveHealth } from "./platform/telemetry/health.ts";
import { guardHosts } from "./platform/http/host-guard.ts";
import { newId } from "./platform/runtime/ids.ts";
import { serveLive } from "./platform/live/live-streams.ts";
import type { Live } from "./platform/live/live-notifications.ts";
import { servePages } from "./platform/http/static-pages.ts";
import { serveDocuments } from "./platform/http/document-routes.ts";
import { refuse } from "./platform/http/refuse.ts";
import { serve } from "./platform/http/serve.ts";
import type { Route, Serving } from "./platform/http/serve.ts";
import { limitSlowBodies, readerTimeoutMs } from "./platform/http/slow-bodies.ts";
import { onStepUp } from "./platform/security/step-up.ts";
import { serveUploads } from "./platform/upload/upload-routes.ts";
import { serveImportUploads } from "./data-export/import-upload.ts";
import { dataExportRoutes } from "./data-export/data-export.routes.ts";
import { memberRoutes } from "./member/member.routes.ts";
import { createNotices } from "./notice/notice.ts";
import { noticeRoutes } from "./notice/notice.routes.ts";
import { operatorRoutes } from "./operator/operator.routes.ts";
import { orderArchives } from "./order/download/order-archive.ts";
import { downloadRoutes } from "./order/download/download.routes.ts";
import { serveFhir } from "./order/fhir/fhir.routes.ts";
import { passWorkToSuccessor } from "./order/core/successor.ts";
import { followRelatedOrder } from "./order/forwarding/follow-related-order.ts";
import { forwardRoutes } from "./order/forwarding/forwarding.routes.ts";
import { listRoutes } from "./order/list/list.routes.ts";
import { orderRoutes } from "./order/core/order.routes.ts";
import { messageRoutes } from "./order/messages/messages.routes.ts";
import { sharedOrderRoutes } from "./order/sharing/shared-order.routes.ts";
import { openPrescription, prescriptionRoutes } from "./order/prescription/prescription.routes.ts";
import { templateRoutes } from "./order/templates/template.routes.ts";
import { handOverWhenReady } from "./order/transition/send-order.ts";
import { openPatientArchive } from "./patient/archive/patient-archive.ts";
import { patientMergeRoutes } from "./patient/merge/merge.routes.ts";
import { patientRoutes } from "./patient/patient.routes.ts";
import { updateLastVisit } from "./patient/patient.store.ts";
import { updateVisitDates } from "./patient/patient.visit-dates.ts";
import { patientRecordRoutes } from "./patient/record.routes.ts";
import { requestInvitedRelations } from "./relation/relation.invite.ts";
import { relationRoutes } from "./relation/relation.routes.ts";
import { endRelationAfterOrder } from "./relation/relation.settle.ts";
import { openReportDocument } from "./report/report.open-document.ts";
import { reportRoutes } from "./report/report.routes.ts";
import { cancelLabShares, cancelLeaversShares, endOrderShares } from "./share/share.expiry.ts";
import { serviceRoutes } from "./service/service.routes.ts";
import { shareRoutes } from "./share/share.routes.ts";
import { findActiveGuestSessions, guestAuthenticator } from "./share/guest-session.ts";
import { inboxRoutes } from "./study/inbox/inbox.routes.ts";
import { questionRoutes } from "./study/inbox/question.routes.ts";
import { seriesMountRoutes } from "./study/series-mount/series-mount.routes.ts";
import { presentationStateRoutes } from "./study/presentation-state.routes.ts";
import { openStudyArchive } from "./study/download/study-archive.ts";
import { archiveCopyMaker, orderCopyMaker } from "./study/deidentify/order-copies.ts";
import { studyDownloadRoutes } from "./study/download/download.routes.ts";
import { reconvertLostFiles } from "./study/study.conversion.ts";
import { guestStudyRoutes } from "./study/guest-study.routes.ts";
import { studyRoutes } from "./study/study.routes.ts";
import { auditRoutes } from "./audit/audit.routes.ts";
import { servePackageTransfers } from "./upgrade/package-transfer.ts";
import { upgradeRoutes } from "./upgrade/upgrade.routes.ts";
import { visitRoutes } from "./visit/visit.routes.ts";
import { serveWorkorderFiles } from "./workorder/workorder.files.ts";
import { moveWorkordersToClinic } from "./workorder/workorder.jobs.ts";
import { openWorkorderDocument } from "./workorder/workorder.document.ts";
import { workorderRoutes } from "./workorder/workorder.routes.ts";

/** The routes of every feature module: all that the product serves. */
const allRoutes: Route[] = [
  ...accountRoutes,
  ...profileRoutes,
  ...launchRoutes,
  ...factorRoutes,
  ...institutionRoutes,
  ...dataExportRoutes,
  ...integrationRoutes,
  ...auditRoutes,
  ...memberRoutes,
  ...relationRoutes,
  ...patientRoutes,
  ...patientRecordRoutes,
  ...visitRoutes,
  ...consentRoutes,
  ...chartRoutes,
  ...patientMergeRoutes,
  ...studyRoutes,
  ...cephRoutes,
  ...seriesMountRoutes,
  ...presentationStateRoutes,
  ...studyDownloadRoutes,
  ...inboxRoutes,
  ...questionRoutes,
  ...shareRoutes,
  ...guestStudyRoutes,
  ...sharedOrderRoutes,
  ...reportRoutes,
  ...orderRoutes,
  ...prescriptionRoutes,
  ...templateRoutes,
  ...listRoutes,
  ...forwardRoutes,
  ...messageRoutes,
  ...downloadRoutes,
  ...analysisRoutes,
  ...noticeRoutes,
  ...dashboardRoutes,
  ...operatorRoutes,
  ...capacityRoutes,
  ...clinicRoutes,
  ...deviceRoutes,
  ...feedbackRoutes,
  ...upgradeRoutes,
  ...serviceRoutes,
  ...workorderRoutes,
];

/** Registers the subscribers of domain events, in every process that may publish them. */
export function subscribeToEvents({ ANALYSIS_AUTO }: Pick<Config, "ANALYSIS_AUTO">): void {
  if (ANALYSIS_AUTO) subscribe(startAutomaticAnalysis);
  subscribe(createNotices);
  subscribe(updateDevicesOnService);
  subscribe(moveWorkordersToClinic);
  subscribe(moveFeedbackToClinic);
  subscribe(enqueueWebhooks);
  subscribe(handOverWhenReady);
  subscribe(updateLastVisit);
  subscribe(updateVisitDates);
  subscribe(reconvertLostFiles);
  subscribe(updateSessionMemberships);
  subscribe(createOpenedAccount);
  subscribe(completeOpenedInstitution);
  subscribe(passWorkToSuccessor);
  subscribe(cancelLeaversShares);
  subscribe(endOrderShares);
  subscribe(cancelLabShares);
  subscribe(endRelationAfterOrder);
  subscribe(followRelatedOrder);
  subscribe(requestInvitedRelations);
}

export interface AppServices {
  config: Config;
  database: Database;
  live: Live;
  state: { stopping: boolean };
  /** Collects the path of every route, for the test that nothing undeclared is served. */
  served: Set<string>;
}

/** The HTTP application, not listening yet. */
export async function createApp({ config, database, live, state, served }: AppServices): Promise<FastifyInstance> {
  const app = Fastify({
    logger:
      config.LOG_LEVEL === "silent"
        ? false
        : { level: config.LOG_LEVEL, serializers: { req: redactRequest, err: redactError }, redact: ["req.headers"] },
    genReqId: () => newId(),
    // Trust only the nearest proxy: everything further left in X-Forwarded-For was written by the client.
    trustProxy: config.TRUST_PROXY ? (_, hop) => hop === 0 : false,
    bodyLimit: 2 * 1024 * 1024,
    connectionTimeout: readerTimeoutMs,
  });
  limitSlowBodies(app);
  sendHeaders(app, config);
  guardHosts(app, config);
  app.addHook("onRequest", refuseUnstorableText);
  app.addHook("onRoute", ({ url }) => void served.add(url));
  registerErrorHandler(app);
  onStepUp((context, proof) => withStepUpProof(context, proof, async () => undefined));
  const serving: Serving = {
    config,
    database,
    authenticate: authenticateDevices(database, authenticateApiKeys(database, createAuthenticator(database, config))),
    move: switchMembership,
    authenticateGuest: guestAuthenticator(database, config),
  };
  serve(app, serving, allRoutes);
  serveProviders(app, serving);
  serveLive(app, { live, authenticate: serving.authenticate, findValidSessions: findValidSessions(database) });
  serveSpeedProbe(app);
  serveHealth(app, config, database, state);
  await serveUploads(app, serving);
  await serveImportUploads(app, serving);
  await serveWorkorderFiles(app, serving);
  await serveConsentUploads(app, serving);
  await serveFeedbackImages(app, serving);
  const readers = createHolderGuard(findValidHolders(database), config);
  await servePackageTransfers(app, { ...serving, readers });
  await serveDicomweb(app, serving);
  await serveFhir(app, serving);
  serveFiles(app, { readers, maySee: createFileAccessCheck(database), deidentify: orderCopyMaker(database) });
  serveArchives(app, readers, {
    study: openStudyArchive(database),
    order: orderArchives(database, archiveCopyMaker(database)),
    patient: openPatientArchive(database),
    training: openTrainingArchive(database),
  });
  serveDocuments(app, readers, {
    order: openPrescription(database),
    report: openReportDocument(database),
    ceph: openCephDocument(database),
    workorder: openWorkorderDocument(database),
  });
  await servePages(app, config);
  return app;
}

/** The server sends these headers with every response. */
function sendHeaders(app: FastifyInstance, config: Config): void {
  const isHttps = config.PUBLIC_URL?.startsWith("https:") === true;
  app.addHook("onRequest", async (request, reply) => {
    reply
      .header("request-id", request.id)
      .header("x-content-type-options", "nosniff")
      .header("referrer-policy", "no-referrer")
      // Responses contain patient data; those that may be cached (files, images, the application) override this header.
      .header("cache-control", "no-store")
      // A page that opens ours, or is opened by it, gets no reference to its window.
      .header("cross-origin-opener-policy", "same-origin");
    if (isHttps) reply.header("strict-transport-security", "max-age=31536000");
  });
}

/** The contract's calls refuse such text in their bodies; this check covers addresses of every kind. */
async function refuseUnstorableText({ params, query }: FastifyRequest): Promise<void> {
  if (findUnstorablePath(params) || findUnstorablePath(query)) refuse("badInput");
}

/** Returns those of the given sessions, guest sessions, API keys and devices that are still valid. */
function findValidHolders(database: Database): FindValidHolders<ValidHolder> {
  const kinds = [
    findValidSessions(database),
    findActiveGuestSessions(database),
    findActiveApiKeys(database),
    findActiveDevices(database),
  ];
  return async (asked) => {
    const found = new Map<string, ValidHolder>();
    for (const find of kinds) {
      const others = asked.filter((one) => !found.has(one));
      if (others.length > 0) for (const [id, reader] of await find(others)) found.set(id, reader);
    }
    return found;
  };
}

/** Queries contain search words and identifiers of people: the log keeps only the path. */
const redactRequest = (request: { method: string; url: string; ip?: string }) => ({
  method: request.method,
  path: request.url.split("?")[0]?.replace(/^(\/files\/[^/]+\/[^/]+\/[^/]+).*/, "$1"),
});
