import { sql } from "kysely";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import type { DomainEvent } from "../platform/events/events.ts";
import { newId } from "../platform/runtime/ids.ts";
import { insertDevices } from "./device.store.ts";

/** Subscriber: applies after-sales events to devices: their location, and which were installed or moved. */
export const updateDevicesOnService = (db: Db, domainEvent: DomainEvent): Promise<void> =>
  bypassTenantScope(db, async () => {
    if (domainEvent.name === "deviceStands") await setLocation(db, domainEvent.deviceId, domainEvent.clinicId);
    if (domainEvent.name === "clinicsJoined")
      await sql`update device set clinic_id = ${domainEvent.to}, version = version + 1 where clinic_id = ${domainEvent.from}`.execute(
        db,
      );
    if (domainEvent.name === "clinicsParted")
      await sql`update device set clinic_id = ${domainEvent.to}, version = version + 1
        where id = any(${domainEvent.devices}::uuid[])`.execute(db);
    if (domainEvent.name !== "workorderAccepted" || domainEvent.type === "repair") return;
    const { deviceId, device, clinicId, by } = domainEvent;
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
  const { rows } = await sql<{ id: string }>`select id from device where product = ${device.product}
    and lower(serial_number) = lower(${device.serialNumber})`.execute(db);
  return rows[0]!.id;
}
