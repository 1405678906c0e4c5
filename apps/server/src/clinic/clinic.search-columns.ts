import { sql } from "kysely";
import { searchColumns } from "../platform/text/search-terms.ts";
import type { Db } from "../platform/database/database.ts";
import { divisionNames } from "./administrative-divisions.ts";

interface SearchableClinic {
  name: string;
  number: string;
  country: string;
  province: string | null;
  city: string | null;
}

/** Returns the search columns of a clinic: its name and number, and its province and city by all their names. */
export function buildSearchColumns(clinic: SearchableClinic): { haystack: string; grams: string[]; sort_name: string } {
  const places = [
    ...divisionNames(clinic.country, clinic.province),
    ...divisionNames(clinic.country, clinic.city, clinic.province),
    // A value that is no code was typed by a person.
    ...[clinic.province, clinic.city].filter((one) => one !== null && !/^\d+$/.test(one)),
  ];
  const own = searchColumns({ name: clinic.name, numbers: [clinic.number] });
  const all = [own, ...places.map((name) => searchColumns({ name: name!, numbers: [] }))];
  return {
    haystack: [...new Set(all.map(({ haystack }) => haystack))].join("\n"),
    grams: [...new Set(all.flatMap(({ grams }) => grams))],
    sort_name: own.sort_name,
  };
}

/**
 * Writes the missing search words. The database makes and renames records when institutions change, but it knows no
 * pinyin.
 */
export async function fillMissingSearchColumns(db: Db): Promise<void> {
  for (;;) {
    const missing = await db
      .selectFrom("clinic")
      .select(["id", "name", "number", "country", "province", "city", "version"])
      .where("haystack", "is", null)
      .limit(500)
      .execute();
    if (missing.length === 0) return;
    const rows = missing.map((one) => ({ id: one.id, version: one.version, ...buildSearchColumns(one) }));
    // A record that was renamed in the meantime still has no search words, and is found again.
    await sql`update clinic c set haystack = n.haystack, sort_name = n.sort_name,
        grams = (select coalesce(array_agg(g), '{}') from jsonb_array_elements_text(n.grams) g)
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (id uuid, version int, haystack text, sort_name text, grams jsonb)
      where c.id = n.id and c.version = n.version`.execute(db);
  }
}
