import { sql } from "kysely";
import { deviceCalls } from "@arcada/contract/device/device.calls";
import type { Device } from "@arcada/contract/device/device.calls";
import { localDayIn, isTimeZone } from "@arcada/contract/kernel/time-zone";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import type { SearchSource } from "../platform/runtime/search-source.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { bindDevice } from "./device.bind.ts";
import { hashActivationCode, createActivationCode, registerDevices, importDevices } from "./device.register.ts";
import { applyDeviceStep } from "./apply-device-step.ts";
import {
  findDevice,
  listEvents,
  lockDevice,
  listDeviceKinds,
  listDevices,
  searchDevices,
  setCode,
} from "./device.store.ts";
import { toDevice, toDeviceEvent } from "./device.view.ts";
import { toWorklistEntry } from "./worklist-entry.ts";
import { listWorklist } from "./worklist.store.ts";

/** The search finds a device by its name, serial number, product and model, as the list does. */
export const deviceSearch: SearchSource = {
  kind: "device",
  list: deviceCalls.list,
  find: async ({ db, principal }, { text, most }) => {
    const rows = await bypassTenantScope(db, () => searchDevices(db, principal.iid, text, most));
    return rows.map((row) => ({ kind: "device", ...toDevice(row, principal) }));
  },
};

export const deviceRoutes = routes(deviceCalls, {
  list: async ({ cursor, pageSize, ...filter }, { db, principal }) => {
    const { rows, total } = await bypassTenantScope(db, () =>
      listDevices(db, principal.iid, filter, { before: cursor, most: pageSize + 1 }),
    );
    const page = rows.slice(0, pageSize);
    return {
      list: page.map((row) => toDevice(row, principal)),
      total,
      next: rows.length > page.length ? page.at(-1)!.id : null,
    };
  },
  detail: async ({ id }, context) => ({
    ...(await loadDevice(context, id)),
    history: (await bypassTenantScope(context.db, () => listEvents(context.db, id, context.principal.iid))).map((row) =>
      toDeviceEvent(row, context.principal),
    ),
  }),
  kinds: (_, { db }) => listDeviceKinds(db),
  register: async (input, context) => {
    const [made] = await registerDevices(context, [input]);
    context.subject = made!.id;
    return { device: await loadDevice(context, made!.id), activationCode: made!.activationCode };
  },
  registerList: async ({ text }, context) => {
    const answer = await importDevices(context, text);
    context.detail = { devices: answer.made.length };
    return answer;
  },
  newCode: async ({ id }, context) => {
    const device = (await lockDevice(context.db, id)) ?? refuse("notFound");
    if (device.state !== "unbound") refuse("deviceActionNotAllowed");
    const activationCode = createActivationCode();
    await setCode(context.db, id, hashActivationCode(id, activationCode));
    return { device: await loadDevice(context, id), activationCode };
  },
  bind: async (input, context) => {
    const { id, key } = await bindDevice(context, input);
    context.subject = id;
    return { device: await loadDevice(context, id), key };
  },
  step: async (input, context) => {
    await applyDeviceStep(context, input);
    context.detail = { action: input.action };
    return loadDevice(context, input.id);
  },
  consent: async ({ id, name, bytes }, { db, principal }) => {
    if (!(await findDevice(db, principal.iid, id))) refuse("notFound");
    const made = newId();
    await db
      .insertInto("device_consent")
      .values({ id: made, device_id: id, name, bytes, created_by: principal.uid })
      .execute();
    return { id: made };
  },
  hello: async ({ softwareVersion, firmware, queue }, { db, principal }) => {
    const { rows } = await sql<{
      name: string;
      product: string;
      serialNumber: string;
      state: Device["state"];
      clinic: string;
      refused: string | null;
    }>`update device d set software_version = coalesce(${softwareVersion || null}, software_version),
        firmware = coalesce(${firmware || null}, firmware), waiting = coalesce(${queue ?? null}, waiting), said_at = now()
      from institution i where d.key_id = ${principal.uid} and d.institution_id = ${principal.iid} and i.id = d.institution_id
      returning coalesce(d.name, d.serial_number) as name, d.product, d.serial_number as "serialNumber", d.state,
        i.name as clinic, d.lock_reason as refused`.execute(db);
    return rows[0] ?? refuse("keyUnknown");
  },
  worklist: async ({ from, to, zone, ...query }, { db, principal, now }) => {
    const known = zone ?? principal.timeZone;
    if (!isTimeZone(known)) return refuse("badInput", { zone: "invalid" });
    const today = localDayIn(known, now);
    const isOpenEnded = from === undefined && to === undefined && Boolean(query.name ?? query.number);
    const days = isOpenEnded ? { from: null, to: null } : { from: from ?? to ?? today, to: to ?? from ?? today };
    const { rows, next } = await listWorklist(db, principal.iid, { ...days, zone: known, ...query });
    return { list: rows.map((row) => toWorklistEntry(row, today.replaceAll("-", ""))), next };
  },
});

/**
 * Bypasses the tenant scope: a clinic sees of a device that it had what it knew then, even if another institution has
 * it now.
 */
type DeviceContext = Pick<AuthenticatedContext, "db" | "principal">;
async function loadDevice({ db, principal }: DeviceContext, id: string): Promise<Device> {
  const row = await bypassTenantScope(db, () => findDevice(db, principal.iid, id));
  return row ? toDevice(row, principal) : refuse("notFound");
}
