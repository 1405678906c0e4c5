import { sql } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { deviceCalls } from "@arcada/contract/device/device.calls";
import { deviceRules } from "@arcada/contract/device/device.rules";
import type { MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import { newId, newSecret, secretHash } from "../platform/runtime/ids-and-secrets.ts";
import { refuse, refuseAndKeep } from "../platform/http/refuse.ts";
import { insertTechnicalUser } from "../account/account.writes.ts";
import { hashActivationCode } from "./device.register.ts";
import { countAttempt, requireAttemptsLeft, lockBySerial, lockAttempts } from "./device.store.ts";
import { publishDeviceTransition } from "./device.notify.ts";

/**
 * E2. Returns the device and its key, which is returned only here; a wrong code is counted and reveals nothing about
 * the device.
 */
export async function bindDevice(
  { db, principal, address }: MemberContext,
  { serialNumber, activationCode, name }: Parsed<typeof deviceCalls.bind>,
): Promise<{ id: string; key: string }> {
  await lockAttempts(db, principal.uid);
  await requireAttemptsLeft(db, principal.uid);
  return bypassTenantScope(db, async () => {
    const candidates = await lockBySerial(db, serialNumber);
    const device = candidates.find(({ id, code_hash }) => code_hash === hashActivationCode(id, activationCode));
    if (!device) {
      await countAttempt(db, principal.uid);
      return refuseAndKeep("deviceCodeWrong", { activationCode: "deviceCodeWrong" });
    }
    if (device.state !== "unbound" || device.code_used_at !== null) return refuse("deviceCodeUsed");
    if (device.is_expired) return refuse("deviceCodeExpired");
    const key = `${deviceRules.keyPrefix}${newSecret()}`;
    const keyId = newId();
    await insertTechnicalUser(db, keyId, name);
    await sql`update device set state = 'bound', institution_id = ${principal.iid}, name = ${name}, bound_at = now(), unbound_at = null,
        clinic_id = (select id from clinic where institution_id = ${principal.iid}), code_used_at = now(), key_id = ${keyId},
        key_hash = ${secretHash(key)}, key_begins = ${key.slice(0, deviceRules.keyShown)}, minute = null, calls = 0, seen_at = null,
        version = version + 1 where id = ${device.id}`.execute(db);
    await publishDeviceTransition(db, {
      device: { ...device, institution_id: principal.iid, name },
      action: "bind",
      to: "bound",
      by: { ...principal, address },
    });
    return { id: device.id, key };
  });
}
