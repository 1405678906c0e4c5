import { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import { serviceFigureCalls } from "@arcada/contract/clinic/service-figures.calls";
import { readCursor, writeCursor } from "../platform/http/list-cursor.ts";
import type { SearchSource } from "../platform/runtime/search-source.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { linkClinic, unlinkClinic } from "./link-clinic-records.ts";
import { installDevice, updateClinic, createClinic, removeClinic } from "./change-clinic.ts";
import { listClinics, countClinics } from "./clinic.store.ts";
import { loadClinicDetail, toClinic } from "./clinic.view.ts";
import { fillMissingSearchColumns } from "./clinic.search-columns.ts";
import { listDivisions } from "./administrative-divisions.ts";
import { loadServiceFigures } from "./service-figures.ts";
import { loadClinicMap } from "./clinic-map.ts";

/** The search finds clinics by what the list finds them by. */
export const clinicSearch: SearchSource = {
  kind: "clinic",
  list: clinicCalls.list,
  find: async ({ db, principal, language }, { text, most }) => {
    await fillMissingSearchColumns(db);
    const rows = await listClinics(db, principal, { search: text }, { after: null, most });
    return rows.map((row) => ({ kind: "clinic", ...toClinic(row, language) }));
  },
};

export const clinicRoutes = [
  ...routes(clinicCalls, {
    list: async ({ cursor, pageSize, ...narrowing }, { db, principal, language }) => {
      await fillMissingSearchColumns(db);
      const rows = await listClinics(db, principal, narrowing, { after: readCursor(cursor), most: pageSize + 1 });
      const page = rows.slice(0, pageSize);
      const last = rows.length > pageSize ? page.at(-1) : undefined;
      return {
        list: page.map((row) => toClinic(row, language)),
        total: await countClinics(db, principal, narrowing),
        next: last ? writeCursor(last) : null,
      };
    },
    detail: ({ id }, context) => loadClinicDetail(context, id),
    divisions: async ({ country, province }, { language }) => listDivisions(country, province || null, language),
    create: async (input, context) => loadClinicDetail(context, await createClinic(context, input)),
    update: async (input, context) => {
      await updateClinic(context, input);
      return loadClinicDetail(context, input.id);
    },
    remove: async (input, { db }) => {
      await removeClinic(db, input);
      return null;
    },
    link: async (input, context) => loadClinicDetail(context, await linkClinic(context, input)),
    unlink: async (input, context) => loadClinicDetail(context, await unlinkClinic(context, input)),
    bindDevice: async (input, context) => {
      await installDevice(context, input);
      return loadClinicDetail(context, input.id);
    },
  }),
  ...routes(serviceFigureCalls, {
    map: (_, { db, language }) => loadClinicMap(db, language),
    figures: (_, { db }) => loadServiceFigures(db),
  }),
];
