import { offeredLanguages } from "@arcada/contract/kernel/languages";
import { cephCalls } from "@arcada/contract/ceph/ceph.calls";
import { cephAnalysisNames } from "@arcada/analysis/ceph/analyses";
import { defaultPopulation } from "@arcada/analysis/ceph/norms";
import type { MemberContext } from "../platform/http/request-context.ts";
import { notifyClients } from "../platform/events/events.ts";
import { fileUrl } from "../platform/storage/file-url.ts";
import { documentUrl } from "../platform/http/document-routes.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { secret } from "../platform/runtime/services.ts";
import { cephCsv } from "./ceph.csv.ts";
import * as store from "./ceph.store.ts";
import { dayOf, proposalsOf, subjectOf } from "./ceph.ts";

export const cephRoutes = routes(cephCalls, {
  list: async ({ patientId }, context) => {
    const { db, asker } = context;
    const person = (await store.personOf(db, asker.iid, patientId)) ?? refuse("notFound");
    context.subject = patientId;
    const films = await store.filmsOf(db, asker.iid, patientId);
    return films.map((film) => ({
      studyId: film.studyId,
      instanceId: film.instanceId,
      name: film.name,
      takenAt: film.takenAt,
      createdAt: film.createdAt,
      thumbnailUrl: thumbnailUrl(film),
      subject: subjectOf(person, dayOf(film, context.asker.timeZone)),
      tracing: film.tracing,
    }));
  },
  open: async ({ studyId, instanceId, version }, context) => {
    const film = await readable(context, studyId, instanceId);
    const isOwn = film.iid === context.asker.iid;
    const now = (await store.tracingOf(context.db, film)) ?? null;
    const isEarlier = version !== undefined && version !== now?.version;
    if (isEarlier && !isOwn) return refuse("notFound");
    const tracing = isEarlier ? ((await store.tracingAt(context.db, film, version)) ?? refuse("notFound")) : now;
    return {
      tracing,
      subject: subjectOf(await personOf(context, film), dayOf(film, context.asker.timeZone)),
      proposals: proposalsOf(isOwn ? await store.seenIn(context.db, film) : []),
      defaultPopulation: defaultPopulation((await store.houseOf(context.db, film.iid)).country),
      isLossy: film.isLossy,
      maySave: isOwn && film.patientId !== null,
    };
  },
  save: async ({ studyId, instanceId, version, content }, context) => {
    const film = await own(context, studyId, instanceId);
    if (film.patientId === null) return refuse("notFound");
    const saved = await store.saveTracing(context.db, film, { uid: context.asker.uid, version, content });
    if (!saved) return refuse("tracingChanged", await store.tracingOf(context.db, film));
    await notifyClients(context.db, { institutions: [film.iid] }, "study", studyId);
    return (await store.tracingOf(context.db, film)) ?? refuse("notFound");
  },
  versions: async ({ studyId, instanceId }, context) => {
    const versions = await store.versionsOf(context.db, await own(context, studyId, instanceId));
    return versions.map(({ version, savedAt, savedBy, content }) => ({
      version,
      savedAt,
      savedBy,
      marked: Object.keys(content.landmarks).length,
    }));
  },
  remove: async ({ studyId, instanceId, version }, context) => {
    const film = await own(context, studyId, instanceId);
    if (!(await store.removeTracing(context.db, film, version)))
      return refuse("tracingChanged", await store.tracingOf(context.db, film));
    await notifyClients(context.db, { institutions: [film.iid] }, "study", studyId);
    return null;
  },
  csv: async ({ studyId, instanceId }, context) => {
    const film = await readable(context, studyId, instanceId);
    const tracing = (await store.tracingOf(context.db, film)) ?? refuse("notFound");
    const subject = subjectOf(await personOf(context, film), dayOf(film, context.asker.timeZone));
    return {
      name: `ceph-${dayOf(film, context.asker.timeZone)}.csv`,
      csv: cephCsv(tracing.content, subject, context.language, film.isLossy),
    };
  },
  paper: async ({ studyId, instanceId, analysis, lang }, context) => {
    const { asker, now, language } = context;
    const film = await own(context, studyId, instanceId);
    if (!(await store.tracingOf(context.db, film))) return refuse("notFound");
    const scheme = cephAnalysisNames.find((name) => name === analysis) ?? refuse("badInput", { analysis: "unknown" });
    const spoken = offeredLanguages.find((one) => one === (lang ?? language)) ?? "en";
    const asked = { iid: asker.iid, uid: asker.uid, id: instanceId, language: spoken, scheme };
    return { url: documentUrl("ceph", asked, now) };
  },
});

async function readable(context: MemberContext, studyId: string, instanceId: string): Promise<store.FilmRow> {
  context.subject = studyId;
  const film = await store.filmOf(context.db, instanceId);
  return film?.studyId === studyId ? film : refuse("notFound");
}

async function own(context: MemberContext, studyId: string, instanceId: string): Promise<store.FilmRow> {
  const film = await readable(context, studyId, instanceId);
  return film.iid === context.asker.iid ? film : refuse("notFound");
}

/** Returns the patient of a film. For another institution's patient nothing but the film is known. */
const personOf = async ({ db, asker }: MemberContext, { iid, patientId }: store.FilmRow) =>
  iid === asker.iid && patientId !== null ? store.personOf(db, iid, patientId) : undefined;

const thumbnailUrl = ({ iid, thumbnail }: store.FilmRow): string | null =>
  thumbnail && fileUrl(secret(), { area: "converted", iid, sha256: thumbnail, name: "film.webp", type: "image/webp" });
