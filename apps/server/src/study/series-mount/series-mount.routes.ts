import { mountLayouts, type MountLayoutName } from "@arcada/contract/study/mount-layouts";
import { mountCalls, type MountImage } from "@arcada/contract/study/series-mount.calls";
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
    const { films, turns, savedAt, ...mount } = await findMount(db, principal.iid, patientId, kind);
    const known = new Set(all.map(({ id }) => id));
    // An image in the bin has left its place.
    const placed = Object.fromEntries(Object.entries(films).filter(([, id]) => known.has(id)));
    const turned = Object.fromEntries(Object.entries(turns).filter(([id]) => known.has(id)));
    return {
      ...mount,
      turns: turned,
      films: { ...placePhotoSeries(all, mount.layout, placed, savedAt), ...placed },
      all,
    };
  },
  saveMount: async ({ patientId, version, layout, films, turns }, context) => {
    const { db, principal } = context;
    await requirePatient(context, patientId);
    context.subject = patientId;
    const { kind, places: positions } = mountLayouts[layout];
    const places = new Set<string>(positions.map(({ name }) => name));
    if (!Object.keys(films).every((place) => places.has(place))) return refuse("badInput", { films: "unknownPlace" });
    const known = new Set(
      (await listMountableImages(db, principal.iid, patientId, kind, createFileSigner())).map(({ id }) => id),
    );
    if (![...Object.values(films), ...Object.keys(turns ?? {})].every((id) => known.has(id))) return refuse("notFound");
    const saved = await saveSeriesMount(db, {
      iid: principal.iid,
      patientId,
      kind,
      uid: principal.uid,
      version,
      layout,
      films,
      turns,
    });
    if (saved === null) {
      const { savedAt: _, ...current } = await findMount(db, principal.iid, patientId, kind);
      return refuse("marksChanged", current);
    }
    await notifyClients(db, { institutions: [principal.iid] }, "study", patientId);
    return { version: saved };
  },
});

/**
 * Places photographs of a series by their views. Whoever saved the mount has decided about the images that existed then:
 * only later ones fill the places that are still free.
 */
function placePhotoSeries(
  newestFirst: readonly MountImage[],
  layout: MountLayoutName,
  placed: Readonly<Record<string, string>>,
  savedAt: string | null,
): Record<string, string> {
  const places = new Set<string>(mountLayouts[layout].places.map(({ name }) => name));
  const used = new Set(Object.values(placed));
  const found: Record<string, string> = {};
  for (const { id, photoView, createdAt } of newestFirst)
    if (
      photoView !== null &&
      places.has(photoView) &&
      !used.has(id) &&
      !(savedAt !== null && new Date(createdAt) <= new Date(savedAt))
    )
      found[photoView] ??= id;
  return found;
}
