import { mountLayouts } from "@arcada/contract/study/mount-layouts";
import { mountCalls } from "@arcada/contract/study/series-mount.calls";
import { notifyClients } from "../../platform/events/events.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { requirePatient } from "../study.guards.ts";
import { createFileSigner } from "../file-signer.ts";
import { listMountableImages, findMount, saveSeriesMount } from "./series-mount.store.ts";

export const seriesMountRoutes = routes(mountCalls, {
  mount: async ({ patientId, kind }, context) => {
    const { db, principal } = context;
    await requirePatient(context, patientId);
    context.subject = patientId;
    const all = await listMountableImages(db, principal.iid, patientId, kind, createFileSigner());
    const { films, ...mount } = await findMount(db, principal.iid, patientId, kind);
    const known = new Set(all.map(({ id }) => id));
    // An image in the bin has left its place.
    return { ...mount, films: Object.fromEntries(Object.entries(films).filter(([, id]) => known.has(id))), all };
  },
  saveMount: async ({ patientId, version, layout, films }, context) => {
    const { db, principal } = context;
    await requirePatient(context, patientId);
    context.subject = patientId;
    const { kind, places: positions } = mountLayouts[layout];
    const places = new Set<string>(positions.map(({ name }) => name));
    if (!Object.keys(films).every((place) => places.has(place))) return refuse("badInput", { films: "unknownPlace" });
    const known = new Set(
      (await listMountableImages(db, principal.iid, patientId, kind, createFileSigner())).map(({ id }) => id),
    );
    if (!Object.values(films).every((id) => known.has(id))) return refuse("notFound");
    const saved = await saveSeriesMount(db, {
      iid: principal.iid,
      patientId,
      kind,
      uid: principal.uid,
      version,
      layout,
      films,
    });
    if (saved === null) return refuse("marksChanged", await findMount(db, principal.iid, patientId, kind));
    await notifyClients(db, { institutions: [principal.iid] }, "study", patientId);
    return { version: saved };
  },
});
