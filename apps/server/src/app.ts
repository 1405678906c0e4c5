import Fastify from "fastify";
import { unstorable } from "@arcada/contract/kernel/storable";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { accountRoutes } from "./account/account.routes.ts";
import { launchRoutes } from "./account/launch.routes.ts";
import { profileRoutes } from "./account/profile.routes.ts";
import { followMembership } from "./account/membership.ts";
import { openAccount } from "./account/opened.ts";
import { proven } from "./account/factor/factor.ts";
import { factorRoutes } from "./account/factor/factor.routes.ts";
import { serveProviders } from "./account/provider/provider.routes.ts";
import { measureWhenReady } from "./analysis/analysis.jobs.ts";
import { analysisRoutes } from "./analysis/analysis.routes.ts";
import { trainingArchives } from "./analysis/training.ts";
import { livingHolders } from "./account/living.ts";
import { authenticator, moveSession } from "./account/session.ts";
import { serveSpeedProbe } from "./account/speed-probe.ts";
import { capacityRoutes } from "./capacity/capacity.routes.ts";
import { openCephPaper } from "./ceph/ceph.paper.ts";
import { cephRoutes } from "./ceph/ceph.routes.ts";
import { chartRoutes } from "./chart/chart.routes.ts";
import { clinicRoutes } from "./clinic/clinic.routes.ts";
import { serveConsents } from "./device/consent.ts";
import { followService } from "./device/device.follow.ts";
import { deviceRoutes } from "./device/device.routes.ts";
import { livingDevices, withDevices } from "./device/key.ts";
import { serveFeedbackPictures } from "./feedback/feedback.pictures.ts";
import { followJoined } from "./feedback/feedback.follow.ts";
import { feedbackRoutes } from "./feedback/feedback.routes.ts";
import { interfaceRoutes } from "./interface/interface.routes.ts";
import { livingKeys, withKeys } from "./interface/key.ts";
import { tellPrograms } from "./interface/webhook.tell.ts";
import { completeOpened } from "./institution/founding.ts";
import { institutionRoutes } from "./institution/institution.routes.ts";
import { dashboardRoutes } from "./dashboard/dashboard.routes.ts";
import { consentRoutes } from "./consent/consent.routes.ts";
import { serveDicomweb } from "./dicomweb/dicomweb.routes.ts";
import { serveArchives } from "./platform/http/archive-routes.ts";
import type { Config } from "./platform/runtime/config.ts";
import type { Database } from "./platform/database/database.ts";
import { answerErrors, quietError } from "./platform/http/errors.ts";
import { subscribe } from "./platform/events/events.ts";
import { openReaders } from "./platform/live/session-queue.ts";
import type { Living, Reader } from "./platform/live/session-queue.ts";
import { seenBy } from "./platform/storage/file-access.ts";
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
import { endSlowBodies, slowestReaderMs } from "./platform/http/slow-bodies.ts";
import { onStepUp } from "./platform/security/step-up.ts";
import { serveUploads } from "./platform/upload/upload-routes.ts";
import { serveArrivals } from "./leaving/arrival-bytes.ts";
import { leavingRoutes } from "./leaving/leaving.routes.ts";
import { memberRoutes } from "./member/member.routes.ts";
import { notify } from "./notice/notice.ts";
import { noticeRoutes } from "./notice/notice.routes.ts";
import { operatorRoutes } from "./operator/operator.routes.ts";
import { orderArchives } from "./order/download.archive.ts";
import { downloadRoutes } from "./order/download.routes.ts";
import { serveFhir } from "./order/fhir/fhir.routes.ts";
import { handWorkOver } from "./order/order.heir.ts";
import { followKin } from "./order/order.kin.ts";
import { forwardRoutes } from "./order/order.forward.routes.ts";
import { listRoutes } from "./order/list.routes.ts";
import { orderRoutes } from "./order/order.routes.ts";
import { talkRoutes } from "./order/talk.routes.ts";
import { sharedOrderRoutes } from "./order/shared.routes.ts";
import { openPrescription, prescriptionRoutes } from "./order/prescription.routes.ts";
import { templateRoutes } from "./order/template.routes.ts";
import { handOverWhenReady } from "./order/order.transfer.ts";
import { patientArchives } from "./patient/archive.ts";
import { patientMergeRoutes } from "./patient/merge.routes.ts";
import { patientRoutes } from "./patient/patient.routes.ts";
import { noteVisit } from "./patient/patient.store.ts";
import { followVisits } from "./patient/patient.visits.ts";
import { patientRecordRoutes } from "./patient/record.routes.ts";
import { askWhoWasInvited } from "./relation/relation.invite.ts";
import { relationRoutes } from "./relation/relation.routes.ts";
import { settleWhenOver } from "./relation/relation.settle.ts";
import { openReport } from "./report/report.print.ts";
import { reportRoutes } from "./report/report.routes.ts";
import { cancelSharesOfLab, cancelSharesOfLeavers, endSharesOfOrders } from "./share/share.ends.ts";
import { serviceRoutes } from "./service/service.routes.ts";
import { shareRoutes } from "./share/share.routes.ts";
import { livingVisits, visitors } from "./share/visit.ts";
import { inboxRoutes } from "./study/inbox.routes.ts";
import { questionRoutes } from "./study/question.routes.ts";
import { mountRoutes } from "./study/mount.routes.ts";
import { presentationRoutes } from "./study/presentation.routes.ts";
import { studyArchives } from "./study/outgoing/archive.ts";
import { orderCleaner, orderCopies } from "./study/outgoing/order-copy.ts";
import { outgoingRoutes } from "./study/outgoing/outgoing.routes.ts";
import { mendConverted } from "./study/study.convert.ts";
import { sharedStudyRoutes } from "./study/shared.routes.ts";
import { studyRoutes } from "./study/study.routes.ts";
import { trailRoutes } from "./trail/trail.routes.ts";
import { servePackages } from "./upgrade/package-bytes.ts";
import { upgradeRoutes } from "./upgrade/upgrade.routes.ts";
import { visitRoutes } from "./visit/visit.routes.ts";
import { serveWorkorderFiles } from "./workorder/workorder.files.ts";
import { followClinics } from "./workorder/workorder.jobs.ts";
import { openWorkorderPaper } from "./workorder/workorder.paper.ts";
import { workorderRoutes } from "./workorder/workorder.routes.ts";

/** The routes of every feature module: all that the product serves. */
const allRoutes: Route[] = [
  ...accountRoutes,
  ...profileRoutes,
  ...launchRoutes,
  ...factorRoutes,
  ...institutionRoutes,
  ...leavingRoutes,
  ...interfaceRoutes,
  ...trailRoutes,
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
  ...mountRoutes,
  ...presentationRoutes,
  ...outgoingRoutes,
  ...inboxRoutes,
  ...questionRoutes,
  ...shareRoutes,
  ...sharedStudyRoutes,
  ...sharedOrderRoutes,
  ...reportRoutes,
  ...orderRoutes,
  ...prescriptionRoutes,
  ...templateRoutes,
  ...listRoutes,
  ...forwardRoutes,
  ...talkRoutes,
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
  if (ANALYSIS_AUTO) subscribe(measureWhenReady);
  subscribe(notify);
  subscribe(followService);
  subscribe(followClinics);
  subscribe(followJoined);
  subscribe(tellPrograms);
  subscribe(handOverWhenReady);
  subscribe(noteVisit);
  subscribe(followVisits);
  subscribe(mendConverted);
  subscribe(followMembership);
  subscribe(openAccount);
  subscribe(completeOpened);
  subscribe(handWorkOver);
  subscribe(cancelSharesOfLeavers);
  subscribe(endSharesOfOrders);
  subscribe(cancelSharesOfLab);
  subscribe(settleWhenOver);
  subscribe(followKin);
  subscribe(askWhoWasInvited);
}

export interface AppParts {
  config: Config;
  database: Database;
  live: Live;
  state: { stopping: boolean };
  /** Collects the path of every route, for the test that nothing undeclared is served. */
  served: Set<string>;
}

/** The HTTP application, not listening yet. */
export async function makeApp({ config, database, live, state, served }: AppParts): Promise<FastifyInstance> {
  const app = Fastify({
    logger:
      config.LOG_LEVEL === "silent"
        ? false
        : { level: config.LOG_LEVEL, serializers: { req: quietRequest, err: quietError }, redact: ["req.headers"] },
    genReqId: () => newId(),
    // Trust only the nearest proxy: everything further left in X-Forwarded-For was written by the client.
    trustProxy: config.TRUST_PROXY ? (_, hop) => hop === 0 : false,
    bodyLimit: 2 * 1024 * 1024,
    connectionTimeout: slowestReaderMs,
  });
  endSlowBodies(app);
  sendHeaders(app, config);
  guardHosts(app, config);
  app.addHook("onRequest", refuseUnstorable);
  app.addHook("onRoute", ({ url }) => void served.add(url));
  answerErrors(app);
  onStepUp((context, proof) => proven(context, proof, async () => undefined));
  const serving: Serving = {
    config,
    database,
    authenticate: withDevices(database, withKeys(database, authenticator(database, config))),
    move: moveSession,
    visit: visitors(database, config),
  };
  serve(app, serving, allRoutes);
  serveProviders(app, serving);
  serveLive(app, { live, authenticate: serving.authenticate, living: livingHolders(database) });
  serveSpeedProbe(app);
  serveHealth(app, config, database, state);
  await serveUploads(app, serving);
  await serveArrivals(app, serving);
  await serveWorkorderFiles(app, serving);
  await serveConsents(app, serving);
  await serveFeedbackPictures(app, serving);
  const readers = openReaders(livingReaders(database), config);
  await servePackages(app, { ...serving, readers });
  await serveDicomweb(app, serving);
  await serveFhir(app, serving);
  serveFiles(app, { readers, maySee: seenBy(database), clean: orderCopies(database) });
  serveArchives(app, readers, {
    study: studyArchives(database),
    order: orderArchives(database, orderCleaner(database)),
    patient: patientArchives(database),
    training: trainingArchives(database),
  });
  serveDocuments(app, readers, {
    order: openPrescription(database),
    report: openReport(database),
    ceph: openCephPaper(database),
    workorder: openWorkorderPaper(database),
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
async function refuseUnstorable({ params, query }: FastifyRequest): Promise<void> {
  if (unstorable(params) || unstorable(query)) refuse("badInput");
}

/** Returns those of the given sessions, guest sessions, API keys and devices that are still valid. */
function livingReaders(database: Database): Living<Reader> {
  const kinds = [livingHolders(database), livingVisits(database), livingKeys(database), livingDevices(database)];
  return async (asked) => {
    const found = new Map<string, Reader>();
    for (const living of kinds) {
      const others = asked.filter((one) => !found.has(one));
      if (others.length > 0) for (const [id, reader] of await living(others)) found.set(id, reader);
    }
    return found;
  };
}

/** Queries contain search words and identifiers of people: the log keeps only the path. */
const quietRequest = (request: { method: string; url: string; ip?: string }) => ({
  method: request.method,
  path: request.url.split("?")[0]?.replace(/^(\/files\/[^/]+\/[^/]+\/[^/]+).*/, "$1"),
});
