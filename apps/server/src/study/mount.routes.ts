import { mountLayouts } from "@arcada/contract/study/mount";
import { mountCalls } from "@arcada/contract/study/mount.calls";
import { notifyClients } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { needPatient, signer } from "./study.guards.ts";
import { filmsOf, mountOf, saveMount } from "./mount.store.ts";

export const mountRoutes = routes(mountCalls, {
  mount: async ({ patientId, kind }, context) => {
    const { db, asker } = context;
    await needPatient(context, patientId);
    context.subject = patientId;
    const all = await filmsOf(db, asker.iid, patientId, kind, signer());
    const { films, ...mount } = await mountOf(db, asker.iid, patientId, kind);
    const known = new Set(all.map(({ id }) => id));
    // An image in the bin has left its place.
    return { ...mount, films: Object.fromEntries(Object.entries(films).filter(([, id]) => known.has(id))), all };
  },
  saveMount: async ({ patientId, version, layout, films }, context) => {
    const { db, asker } = context;
    await needPatient(context, patientId);
    context.subject = patientId;
    const { kind, places: all } = mountLayouts[layout];
    const places = new Set<string>(all.map(({ name }) => name));
    if (!Object.keys(films).every((place) => places.has(place))) return refuse("badInput", { films: "unknownPlace" });
    const known = new Set((await filmsOf(db, asker.iid, patientId, kind, signer())).map(({ id }) => id));
    if (!Object.values(films).every((id) => known.has(id))) return refuse("notFound");
    const saved = await saveMount(db, { iid: asker.iid, patientId, kind, uid: asker.uid, version, layout, films });
    if (saved === null) return refuse("marksChanged", await mountOf(db, asker.iid, patientId, kind));
    await notifyClients(db, { institutions: [asker.iid] }, "study", patientId);
    return { version: saved };
  },
});
