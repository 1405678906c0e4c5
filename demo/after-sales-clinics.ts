import type { Database } from "../apps/server/src/platform/database/database.ts";
import { newId } from "../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { demoInstitutions } from "./create-institutions.ts";

/** Clinics of after-sales in addition to that of the cast: one with an account, one without. */
export const demoClinics = {
  registered: {
    name: "青禾口腔 Greenshoot Dental",
    number: "10000002",
    country: "CN",
    address: "成都市锦江区春熙路 29 号",
    contact_person: "唐禾",
    contact_way: "028-5550 0229",
  },
  far: {
    id: "0199a000-0000-7000-8000-00000000c001",
    name: "Harbour Lane Dental",
    number: "S1000001",
    country: "GB",
    province: "BST",
    address: "6 Harbour Lane, Bristol",
    leader: "Maya Reed",
    phone_area: "+44",
    phone: "117 555 0106",
    alternate_name: "Tom Reed",
    alternate_phone: "+44 7700 900106",
    set_up_at: "2025-04-14",
    longitude: -2.5879,
    latitude: 51.4545,
  },
} as const;

/** Runs once. Also records the locations of the cast's clinics, as after-sales would. */
export const seedClinics = (database: Database): Promise<void> =>
  database.asSystem(async (db) => {
    const { registered, far } = demoClinics;
    const seeded = await db
      .insertInto("clinic")
      .values({ ...far, institution_id: null, haystack: null })
      .onConflict((on) => on.doNothing())
      .executeTakeFirst();
    if (seeded.numInsertedOrUpdatedRows === 0n) return;
    const { created_by } = await db
      .selectFrom("institution")
      .select("created_by")
      .where("number", "=", demoInstitutions.clinic.number)
      .executeTakeFirstOrThrow();
    await db
      .insertInto("institution")
      .values({ ...registered, id: newId(), type: "clinic", created_by, longitude: 104.0817, latitude: 30.6571 })
      .execute();
    for (const [number, place] of Object.entries({
      [demoInstitutions.clinic.number]: { province: "310000", city: "310106", longitude: 121.4489, latitude: 31.2279 },
      [registered.number]: { province: "510000", city: "510100" },
    }))
      await db
        .updateTable("clinic")
        .set({ ...place, haystack: null })
        .where("number", "=", number)
        .execute();
  });
