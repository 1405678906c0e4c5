import { sql } from "kysely";
import { deviceCalls } from "@arcada/contract/device/device.calls";
import type { Device } from "@arcada/contract/device/device.calls";
import { dayIn, isTimeZone } from "@arcada/contract/kernel/time-zone";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { bind } from "./device.bind.ts";
import { hashOf, newCode, register, registerList } from "./device.register.ts";
import { takeStep } from "./device.steps.ts";
import { deviceById, eventsOf, holdDevice, kindsOf, pageOf, setCode } from "./device.store.ts";
import { deviceOf, eventOf } from "./device.view.ts";
import { entryOf } from "./worklist.ts";
import { workPage } from "./worklist.store.ts";

export const deviceRoutes = routes(deviceCalls, {
  list: async ({ cursor, pageSize, ...filter }, { db, asker }) => {
    const { rows, total } = await bypassTenantScope(db, () =>
      pageOf(db, asker.iid, filter, { before: cursor, most: pageSize + 1 }),
    );
    const page = rows.slice(0, pageSize);
    return {
      list: page.map((row) => deviceOf(row, asker)),
      total,
      next: rows.length > page.length ? page.at(-1)!.id : null,
    };
  },
  detail: async ({ id }, context) => ({
    ...(await shown(context, id)),
    history: (await bypassTenantScope(context.db, () => eventsOf(context.db, id, context.asker.iid))).map((row) =>
      eventOf(row, context.asker),
    ),
  }),
  kinds: (_, { db }) => kindsOf(db),
  register: async (input, context) => {
    const [made] = await register(context, [input]);
    context.subject = made!.id;
    return { device: await shown(context, made!.id), activationCode: made!.activationCode };
  },
  registerList: async ({ text }, context) => {
    const answer = await registerList(context, text);
    context.detail = { devices: answer.made.length };
    return answer;
  },
  newCode: async ({ id }, context) => {
    const device = (await holdDevice(context.db, id)) ?? refuse("notFound");
    if (device.state !== "unbound") refuse("deviceActionNotAllowed");
    const activationCode = newCode();
    await setCode(context.db, id, hashOf(id, activationCode));
    return { device: await shown(context, id), activationCode };
  },
  bind: async (input, context) => {
    const { id, key } = await bind(context, input);
    context.subject = id;
    return { device: await shown(context, id), key };
  },
  step: async (wish, context) => {
    await takeStep(context, wish);
    context.detail = { action: wish.action };
    return shown(context, wish.id);
  },
  consent: async ({ id, name, bytes }, { db, asker }) => {
    if (!(await deviceById(db, asker.iid, id))) refuse("notFound");
    const made = newId();
    await db
      .insertInto("device_consent")
      .values({ id: made, device_id: id, name, bytes, created_by: asker.uid })
      .execute();
    return { id: made };
  },
  hello: async ({ softwareVersion, firmware, queue }, { db, asker }) => {
    const { rows } = await sql<{
      name: string;
      product: string;
      serialNumber: string;
      state: Device["state"];
      clinic: string;
      refused: string | null;
    }>`update device d set software_version = coalesce(${softwareVersion || null}, software_version),
        firmware = coalesce(${firmware || null}, firmware), waiting = coalesce(${queue ?? null}, waiting), said_at = now()
      from institution i where d.key_id = ${asker.uid} and d.institution_id = ${asker.iid} and i.id = d.institution_id
      returning coalesce(d.name, d.serial_number) as name, d.product, d.serial_number as "serialNumber", d.state,
        i.name as clinic, d.lock_reason as refused`.execute(db);
    return rows[0] ?? refuse("keyUnknown");
  },
  worklist: async ({ from, to, zone, ...query }, { db, asker, now }) => {
    const known = zone ?? asker.timeZone;
    if (!isTimeZone(known)) return refuse("badInput", { zone: "invalid" });
    const today = dayIn(known, now);
    const isOpenEnded = from === undefined && to === undefined && Boolean(query.name ?? query.number);
    const days = isOpenEnded ? { from: null, to: null } : { from: from ?? to ?? today, to: to ?? from ?? today };
    const { rows, next } = await workPage(db, asker.iid, { ...days, zone: known, ...query });
    return { list: rows.map((row) => entryOf(row, today.replaceAll("-", ""))), next };
  },
});

/**
 * Bypasses the tenant scope: a clinic sees of a device that it had what it knew then, even if another institution has
 * it now.
 */
type Reader = Pick<AuthenticatedContext, "db" | "asker">;
async function shown({ db, asker }: Reader, id: string): Promise<Device> {
  const row = await bypassTenantScope(db, () => deviceById(db, asker.iid, id));
  return row ? deviceOf(row, asker) : refuse("notFound");
}
