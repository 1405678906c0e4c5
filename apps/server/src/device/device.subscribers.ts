import { sql } from "kysely";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import type { EventData } from "../platform/events/events.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { insertDevices } from "./device.store.ts";
import type { clinicsMerged, clinicsSeparated, deviceInstalled } from "../clinic/clinic.events.ts";
import type { workorderAccepted } from "../workorder/workorder.events.ts";
import type { Row } from "../tables/row.ts";

/** Subscriber: after-sales set the clinic of a device. */
export const setDeviceClinic = (db: Db, { deviceId, clinicId }: EventData<typeof deviceInstalled>): Promise<void> =>
  bypassTenantScope(db, async () => void (await setLocation(db, deviceId, clinicId)));

/** Subscriber: devices of a record that was merged into another belong to that one. */
export const moveDevicesToClinic = (db: Db, { from, to }: EventData<typeof clinicsMerged>): Promise<void> =>
  bypassTenantScope(db, async () => {
    await sql`update device set clinic_id = ${to}, version = version + 1 where clinic_id = ${from}`.execute(db);
  });

/** Subscriber: devices return to the clinic from which they came. */
export const returnDevicesToClinic = (db: Db, { to, devices }: EventData<typeof clinicsSeparated>): Promise<void> =>
  bypassTenantScope(db, async () => {
    await sql`update device set clinic_id = ${to}, version = version + 1 where id = any(${devices}::uuid[])`.execute(
      db,
    );
  });

/** Subscriber: a device that was installed or moved is at its new clinic from now on. */
export const moveServicedDevice = (
  db: Db,
  { type, deviceId, device, clinicId, by }: EventData<typeof workorderAccepted>,
): Promise<void> =>
  bypassTenantScope(db, async () => {
    if (type === "repair") return;
    await setLocation(db, deviceId ?? (await registerUnknownDevice(db, device, by)), clinicId);
  });

/** Sets a device's clinic. A bound device belongs to the clinic of its institution until it is unbound. */
const setLocation = (db: Db, device: string, clinic: string) =>
  sql`update device d set clinic_id = c.id, version = d.version + 1 from clinic c where d.id = ${device} and c.id = ${clinic}
    and (d.institution_id is null or d.institution_id = c.institution_id) and d.clinic_id is distinct from c.id`.execute(
    db,
  );

/** Registers a device that was unknown; its activation code is made on request. */
async function registerUnknownDevice(
  db: Db,
  device: { product: string; model: string; serialNumber: string },
  by: string,
): Promise<string> {
  const id = newId();
  const made = await insertDevices(db, by, [{ id, ...device, firmware: null, codeHash: null }]);
  if (made > 0) return id;
  const { rows } = await sql<Row<"device", "id">>`select id from device where product = ${device.product}
    and lower(serial_number) = lower(${device.serialNumber})`.execute(db);
  return rows[0]!.id;
}
