import { sql } from "kysely";
import sharp from "sharp";
import type { Workorder, WorkorderFile } from "@arcada/contract/workorder/workorder.calls";
import type { WorkorderFileRole } from "@arcada/contract/workorder/workorder.rules";
import { newId } from "../apps/server/src/platform/runtime/ids.ts";
import { server } from "./world.ts";
import type { Answer, Person, TestServer } from "./world.ts";

export interface Service {
  here: TestServer;
  chief: Person;
  deputy: Person;
  technician: Person;
  colleague: Person;
  clinic: Person;
  clinicId: string;
  deviceId: string;
  serial: string;
}

/** After-sales people, and a clinic with a device that is bound to it. */
export async function service(): Promise<Service> {
  const here = await server();
  const house = await here.institution("clinic");
  const [chief, deputy, technician, colleague, clinic] = [
    await here.person("afterSalesAdmin"),
    await here.person("afterSalesAdmin"),
    await here.person("afterSalesMember"),
    await here.person("afterSalesMember"),
    await here.person("clinicAdmin", house),
  ];
  const [deviceId, serial] = [newId(), `SN-${house.number}`];
  const clinicId = await here.running.database.asSystem(async (db) => {
    const found = await sql<{ id: string }>`select id from clinic where institution_id = ${house.id}`.execute(db);
    const id = found.rows[0]!.id;
    await sql`insert into device (id, institution_id, clinic_id, product, serial_number, model, state, key_hash, bound_at)
      values (${deviceId}, ${house.id}, ${id}, 'Arcada Scan', ${serial}, 'S1', 'bound', ${newId()}, now())`.execute(db);
    return id;
  });
  return { here, chief, deputy, technician, colleague, clinic, clinicId, deviceId, serial };
}

export const fault = ({ deviceId }: Service) => ({
  type: "repair" as const,
  deviceId,
  description: "The arm does not turn",
  contact: "Lin Xiao",
  contactPhone: "021 5550",
});
/** Made by after-sales for one person, as a rule the technician. */
export const madeOrder = (all: Service, more: Record<string, unknown> = {}): Promise<Workorder> =>
  all.chief.gets("workorder.create", {
    ...fault(all),
    clinicId: all.clinicId,
    assigneeId: all.technician.uid,
    ...more,
  });

export const step = (by: Person, { id, version }: Workorder, action: string, more: Record<string, unknown> = {}) =>
  by.asks("workorder.step", { id, version, action, ...more });
export async function stepped(
  by: Person,
  order: Workorder,
  action: string,
  more: Record<string, unknown> = {},
): Promise<Workorder> {
  const answer = await step(by, order, action, more);
  if (answer.code !== 200) throw new Error(`${action}: ${answer.code} ${answer.msg}`);
  return answer.data;
}

/** A picture of which no two are alike. */
export const picture = (shade = Math.random() * 255): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: { r: shade, g: 90, b: 40 } } })
    .jpeg()
    .toBuffer();

export const sendPiece = async (by: Person, id: string, at: number, bytes: Uint8Array): Promise<Answer<unknown>> => {
  const sent = await fetch(`${by.server.running.address}/work-order-files/${id}`, {
    method: "PUT",
    headers: {
      token: by.token,
      "accept-language": "en",
      "upload-offset": String(at),
      "content-type": "application/offset+octet-stream",
    },
    body: bytes as Uint8Array<ArrayBuffer>,
  });
  return { ...((await sent.json()) as Answer<unknown>), status: sent.status, headers: sent.headers };
};

/** Announces a file and uploads its bytes. */
export async function brings(
  by: Person,
  { id }: { id: string },
  role: WorkorderFileRole,
  bytes: Uint8Array,
  name = `${role}.jpg`,
): Promise<WorkorderFile> {
  const file = await by.gets("workorder.addFile", { id, role, name, bytes: bytes.length });
  const sent = await sendPiece(by, file.id, 0, bytes);
  if (sent.code !== 200) throw new Error(`${name}: ${sent.code} ${sent.msg}`);
  return file;
}

/** All that W8 asks for, with so many pictures. */
export async function finishes(by: Person, order: Workorder, pictures = 2): Promise<Workorder> {
  for (let at = 0; at < pictures; at++) await brings(by, order, "picture", await picture(at * 20), `${at}.jpg`);
  await brings(by, order, "receipt", await picture(), "receipt.jpg");
  return by.gets("workorder.saveFinish", {
    id: order.id,
    version: order.version,
    serialNumber: order.device.serialNumber,
    description: "A new bearing",
    parts: [],
  });
}

export const seen = (who: Person, { id }: { id: string }) => who.gets("workorder.detail", { id });
export const started = async (all: Service, more: Record<string, unknown> = {}) =>
  stepped(all.technician, await madeOrder(all, more), "start");
export const submitted = async (all: Service) =>
  stepped(all.technician, await finishes(all.technician, await started(all)), "submit");
