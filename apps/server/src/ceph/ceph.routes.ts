import { offeredLanguages } from "@arcada/contract/kernel/languages";
import { cephCalls } from "@arcada/contract/ceph/ceph.calls";
import { cephAnalysisNames } from "@arcada/analysis/ceph/analyses";
import { defaultPopulation } from "@arcada/analysis/ceph/norms";
import type { MemberContext } from "../platform/http/request-context.ts";
import { notifyClients } from "../platform/events/events.ts";
import { createFileUrl } from "../platform/storage/file-url.ts";
import { documentUrl } from "../platform/http/pdf-routes.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { secret } from "../platform/runtime/services.ts";
import { buildCephCsv } from "./ceph.csv.ts";
import * as store from "./ceph.store.ts";
import { acquisitionDay, toSubject } from "./patient-age-at-radiograph.ts";
import { buildProposals } from "./engine-proposals.ts";

export const cephRoutes = routes(cephCalls, {
  list: async ({ patientId }, context) => {
    const { db, principal } = context;
    const person = (await store.findPatient(db, principal.iid, patientId)) ?? refuse("notFound");
    context.subject = patientId;
    const radiographs = await store.listRadiographs(db, principal.iid, patientId);
    return radiographs.map((radiograph) => ({
      studyId: radiograph.studyId,
      instanceId: radiograph.instanceId,
      name: radiograph.name,
      takenAt: radiograph.takenAt,
      createdAt: radiograph.createdAt,
      thumbnailUrl: thumbnailUrl(radiograph),
      subject: toSubject(person, acquisitionDay(radiograph, context.principal.timeZone)),
      tracing: radiograph.tracing,
    }));
  },
  open: async ({ studyId, instanceId, version }, context) => {
    const radiograph = await requireReadableRadiograph(context, studyId, instanceId);
    const isOwn = radiograph.iid === context.principal.iid;
    const now = (await store.findTracing(context.db, radiograph)) ?? null;
    const isEarlier = version !== undefined && version !== now?.version;
    if (isEarlier && !isOwn) return refuse("notFound");
    const tracing = isEarlier
      ? ((await store.findTracingVersion(context.db, radiograph, version)) ?? refuse("notFound"))
      : now;
    return {
      tracing,
      subject: toSubject(await findPerson(context, radiograph), acquisitionDay(radiograph, context.principal.timeZone)),
      proposals: buildProposals(isOwn ? await store.listObservations(context.db, radiograph) : []),
      defaultPopulation: defaultPopulation((await store.loadInstitution(context.db, radiograph.iid)).country),
      isLossy: radiograph.isLossy,
      maySave: isOwn && radiograph.patientId !== null,
    };
  },
  save: async ({ studyId, instanceId, version, content }, context) => {
    const radiograph = await requireOwnRadiograph(context, studyId, instanceId);
    if (radiograph.patientId === null) return refuse("notFound");
    const saved = await store.saveTracing(context.db, radiograph, { uid: context.principal.uid, version, content });
    if (!saved) return refuse("tracingChanged", await store.findTracing(context.db, radiograph));
    await notifyClients(context.db, { institutions: [radiograph.iid] }, "study", studyId);
    return (await store.findTracing(context.db, radiograph)) ?? refuse("notFound");
  },
  versions: async ({ studyId, instanceId }, context) => {
    const versions = await store.listVersions(context.db, await requireOwnRadiograph(context, studyId, instanceId));
    return versions.map(({ version, savedAt, savedBy, content }) => ({
      version,
      savedAt,
      savedBy,
      marked: Object.keys(content.landmarks).length,
    }));
  },
  remove: async ({ studyId, instanceId, version }, context) => {
    const radiograph = await requireOwnRadiograph(context, studyId, instanceId);
    if (!(await store.removeTracing(context.db, radiograph, version)))
      return refuse("tracingChanged", await store.findTracing(context.db, radiograph));
    await notifyClients(context.db, { institutions: [radiograph.iid] }, "study", studyId);
    return null;
  },
  csv: async ({ studyId, instanceId }, context) => {
    const radiograph = await requireReadableRadiograph(context, studyId, instanceId);
    const tracing = (await store.findTracing(context.db, radiograph)) ?? refuse("notFound");
    const subject = toSubject(
      await findPerson(context, radiograph),
      acquisitionDay(radiograph, context.principal.timeZone),
    );
    return {
      name: `ceph-${acquisitionDay(radiograph, context.principal.timeZone)}.csv`,
      csv: buildCephCsv(tracing.content, subject, context.language, radiograph.isLossy),
    };
  },
  paper: async ({ studyId, instanceId, analysis, lang }, context) => {
    const { principal, now, language } = context;
    const radiograph = await requireOwnRadiograph(context, studyId, instanceId);
    if (!(await store.findTracing(context.db, radiograph))) return refuse("notFound");
    const scheme = cephAnalysisNames.find((name) => name === analysis) ?? refuse("badInput", { analysis: "unknown" });
    const documentLanguage = offeredLanguages.find((one) => one === (lang ?? language)) ?? "en";
    const request = { iid: principal.iid, uid: principal.uid, id: instanceId, language: documentLanguage, scheme };
    return { url: documentUrl("ceph", request, now) };
  },
});

async function requireReadableRadiograph(
  context: MemberContext,
  studyId: string,
  instanceId: string,
): Promise<store.RadiographRow> {
  context.subject = studyId;
  const radiograph = await store.findRadiograph(context.db, instanceId);
  return radiograph?.studyId === studyId ? radiograph : refuse("notFound");
}

async function requireOwnRadiograph(
  context: MemberContext,
  studyId: string,
  instanceId: string,
): Promise<store.RadiographRow> {
  const radiograph = await requireReadableRadiograph(context, studyId, instanceId);
  return radiograph.iid === context.principal.iid ? radiograph : refuse("notFound");
}

/** Returns the patient of a radiograph. For another institution's patient only the radiograph is known. */
const findPerson = async ({ db, principal }: MemberContext, { iid, patientId }: store.RadiographRow) =>
  iid === principal.iid && patientId !== null ? store.findPatient(db, iid, patientId) : undefined;

const thumbnailUrl = ({ iid, thumbnail }: store.RadiographRow): string | null =>
  thumbnail &&
  createFileUrl(secret(), { area: "converted", iid, sha256: thumbnail, name: "film.webp", type: "image/webp" });
