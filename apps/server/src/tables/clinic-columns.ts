/** The data that an after-sales record contains about its clinic: columns of `clinic`. */
export interface ClinicWords {
  number: string;
  name: string;
  country: string;
  province: string | null;
  city: string | null;
  address: string | null;
  leader: string | null;
  phone_area: string | null;
  phone: string | null;
  alternate_name: string | null;
  alternate_phone: string | null;
  set_up_at: string;
  longitude: number | null;
  latitude: number | null;
  created_at: string;
}
