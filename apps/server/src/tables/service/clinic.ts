import type { ColumnType, Generated, Selectable } from "kysely";

export interface ClinicTable {
  id: string;
  /** Null: the clinic has no account here. */
  institution_id: string | null;
  number: string;
  name: string;
  country: string;
  /** Codes of divisions where they are known, else as typed. */
  province: string | null;
  city: string | null;
  address: string | null;
  leader: string | null;
  phone_area: string | null;
  phone: string | null;
  alternate_name: string | null;
  alternate_phone: string | null;
  /** A calendar day. */
  set_up_at: Generated<string>;
  longitude: number | null;
  latitude: number | null;
  created_at: Generated<string>;
  version: Generated<number>;
  /** Null: the search words are not written yet. */
  haystack: string | null;
  grams: Generated<string[]>;
  sort_name: Generated<string>;
}

/** The data that a record contains about its clinic. */
export type ClinicWords = Omit<
  Selectable<ClinicTable>,
  "id" | "institution_id" | "version" | "haystack" | "grams" | "sort_name"
>;

export interface ClinicJoinTable {
  id: string;
  clinic_id: string;
  record: ColumnType<ClinicWords & { id: string }, string, never>;
  before: ColumnType<Partial<ClinicWords>, string, never>;
  devices: string[];
  work_orders: string[];
  destinations: string[];
  feedback: string[];
  joined_by: string;
  joined_at: Generated<string>;
  parted_by: string | null;
  parted_at: string | null;
}
