import { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import { figureCalls } from "@arcada/contract/clinic/figures.calls";
import { readCursor, writeCursor } from "../platform/http/list-cursor.ts";
import { routes } from "../platform/http/serve.ts";
import { linkClinic, unlinkClinic } from "./clinic.join.ts";
import { bindDevice, changeClinic, makeClinic, removeClinic } from "./clinic.keep.ts";
import { clinicsOf, countClinics } from "./clinic.store.ts";
import { detailOf, shown } from "./clinic.view.ts";
import { writeWords } from "./clinic.words.ts";
import { divisionsOf } from "./divisions.ts";
import { figuresOf } from "./figures.ts";
import { mapOf } from "./map.ts";

export const clinicRoutes = [
  ...routes(clinicCalls, {
    list: async ({ cursor, pageSize, ...narrowing }, { db, asker, language }) => {
      await writeWords(db);
      const rows = await clinicsOf(db, asker, narrowing, { after: readCursor(cursor), most: pageSize + 1 });
      const page = rows.slice(0, pageSize);
      const last = rows.length > pageSize ? page.at(-1) : undefined;
      return {
        list: page.map((row) => shown(row, language)),
        total: await countClinics(db, asker, narrowing),
        next: last ? writeCursor(last) : null,
      };
    },
    detail: ({ id }, context) => detailOf(context, id),
    divisions: async ({ country, province }, { language }) => divisionsOf(country, province || null, language),
    create: async (input, context) => detailOf(context, await makeClinic(context, input)),
    update: async (input, context) => {
      await changeClinic(context, input);
      return detailOf(context, input.id);
    },
    remove: async (input, { db }) => {
      await removeClinic(db, input);
      return null;
    },
    link: async (input, context) => detailOf(context, await linkClinic(context, input)),
    unlink: async (input, context) => detailOf(context, await unlinkClinic(context, input)),
    bindDevice: async (input, context) => {
      await bindDevice(context, input);
      return detailOf(context, input.id);
    },
  }),
  ...routes(figureCalls, {
    map: (_, { db, language }) => mapOf(db, language),
    figures: (_, { db }) => figuresOf(db),
  }),
];
