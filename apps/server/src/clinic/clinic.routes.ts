import { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import { routes } from "../kernel/serve.ts";
import { clinicsOf, countClinics, readCursor, writeCursor } from "./clinic.store.ts";

export const clinicRoutes = routes(clinicCalls, {
  list: async ({ search, cursor, pageSize }, { db }) => {
    const rows = await clinicsOf(db, { search, after: readCursor(cursor), most: pageSize + 1 });
    const page = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? page.at(-1) : undefined;
    return {
      list: page.map((row) => ({
        id: row.id,
        name: row.name,
        number: row.number,
        country: row.country,
        address: row.address,
        contactPerson: row.contact_person,
        contactWay: row.contact_way,
        setUpAt: row.created_at,
        members: row.members,
      })),
      total: await countClinics(db, search),
      next: last ? writeCursor(last) : null,
    };
  },
});
