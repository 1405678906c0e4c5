import type { Language } from "@arcada/contract/kernel/languages";
import { clinicEditors } from "@arcada/contract/clinic/clinic.calls";
import type { Clinic, ClinicDetail } from "@arcada/contract/clinic/clinic.calls";
import { hasAccess } from "@arcada/contract/kernel/roles";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { findClinic, listDevices, isReferenced, listLinkedClinics, listOpenWork } from "./clinic.store.ts";
import type { ClinicRow } from "./clinic.store.ts";
import { divisionName } from "./administrative-divisions.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

/** Returns a row of the list; for a clinic that is not open to the reader only its name and place. */
export const toClinic = (row: ClinicRow, language: Language): Clinic => ({
  id: row.id,
  name: row.name,
  number: row.number,
  ...toPlace(row, language),
  ...pickColumns(row, "is_open", "set_up_at", "institution_id"),
  ...(row.is_open ? toContact(row) : hiddenContact),
});

export const toPlace = (
  { country, province, city }: Pick<ClinicRow, "country" | "province" | "city">,
  language: Language,
) => ({
  country,
  province,
  city,
  provinceName: divisionName(country, province, language),
  cityName: divisionName(country, city, language, province),
});

const toContact = (row: ClinicRow) => ({
  ...pickColumns(row, "address", "leader", "phone_area", "phone", "members", "devices", "open_work"),
});
const hiddenContact = {
  address: null,
  leader: null,
  phoneArea: null,
  phone: null,
  members: 0,
  devices: 0,
  openWork: 0,
};

export async function loadClinicDetail(
  { db, principal, language }: AuthenticatedContext,
  id: string,
): Promise<ClinicDetail> {
  const row = await findClinic(db, principal, id);
  const mayChange = hasAccess(clinicEditors, principal.role);
  const more = row.is_open
    ? row
    : { ...row, alternate_name: null, alternate_phone: null, longitude: null, latitude: null };
  const own = row.is_open && row.institution_id !== null ? await findInstitutionContact(db, row.institution_id) : null;
  const devices = row.is_open ? await listDevices(db, id) : [];
  const work = row.is_open ? await listOpenWork(db, principal, id) : [];
  return {
    ...toClinic(row, language),
    ...pickColumns(more, "alternate_name", "alternate_phone", "longitude", "latitude"),
    version: row.version,
    own,
    deviceList: devices.map(({ serial_number, software_version, ...one }) => ({
      ...one,
      serialNumber: serial_number,
      softwareVersion: software_version,
    })),
    workList: work.map(({ created_at, ...one }) => ({ ...one, createdAt: created_at })),
    joined: mayChange ? await listLinkedClinics(db, id) : [],
    mayChange,
    mayRemove: mayChange && row.institution_id === null && !(await isReferenced(db, id)),
  };
}

const findInstitutionContact = async (db: AuthenticatedContext["db"], iid: string) => {
  const row = await db
    .selectFrom("institution")
    .select(["address", "contact_person", "contact_way"])
    .where("id", "=", iid)
    .executeTakeFirstOrThrow();
  return { ...pickColumns(row, "address", "contact_person", "contact_way") };
};
