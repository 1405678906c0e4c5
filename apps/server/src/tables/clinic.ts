import type { Generated } from "kysely";

export interface ClinicTable {
  id: string;
  /** Null: a clinic without an account here. */
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
  /** Null: the words to find it by are not written yet. */
  haystack: string | null;
  grams: Generated<string[]>;
  sort_name: Generated<string>;
}
