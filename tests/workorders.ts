import { sql } from "kysely";
import sharp from "sharp";
import type { Workorder, WorkorderFile } from "@arcada/contract/workorder/workorder.calls";
import type { WorkorderFileRole } from "@arcada/contract/workorder/workorder.rules";
import { newId } from "../apps/server/src/platform/runtime/ids.ts";
import { getTestServer } from "./world.ts";
import type { Answer, TestUser, TestServer } from "./world.ts";

export interface AfterSalesSetup {
  testServer: TestServer;
  chief: TestUser;
  deputy: TestUser;
  technician: TestUser;
  colleague: TestUser;
  clinic: TestUser;
  clinicId: string;
  deviceId: string;
  serial: string;
}

/** After-sales people, and a clinic with a device that is bound to it. */
export async function setupAfterSales(): Promise<AfterSalesSetup> {
  const testServer = await getTestServer();
  const institution = await testServer.createInstitution("clinic");
  const [chief, deputy, technician, colleague, clinic] = [
    await testServer.createUser("afterSalesAdmin"),
    await testServer.createUser("afterSalesAdmin"),
    await testServer.createUser("afterSalesMember"),
    await testServer.createUser("afterSalesMember"),
    await testServer.createUser("clinicAdmin", institution),
  ];
  const [deviceId, serial] = [newId(), `SN-${institution.number}`];
  const clinicId = await testServer.running.database.asSystem(async (db) => {
    const found = await sql<{ id: string }>`select id from clinic where institution_id = ${institution.id}`.execute(db);
    const id = found.rows[0]!.id;
    await sql`insert into device (id, institution_id, clinic_id, product, serial_number, model, state, key_hash, bound_at)
      values (${deviceId}, ${institution.id}, ${id}, 'Arcada Scan', ${serial}, 'S1', 'bound', ${newId()}, now())`.execute(
      db,
    );
    return id;
  });
  return { testServer, chief, deputy, technician, colleague, clinic, clinicId, deviceId, serial };
}

export const faultReport = ({ deviceId }: AfterSalesSetup) => ({
  type: "repair" as const,
  deviceId,
  description: "The arm does not turn",
  contact: "Lin Xiao",
  contactPhone: "021 5550",
});
/** Made by after-sales for one person, as a rule the technician. */
export const createWorkOrder = (all: AfterSalesSetup, more: Record<string, unknown> = {}): Promise<Workorder> =>
  all.chief.call("workorder.create", {
    ...faultReport(all),
    clinicId: all.clinicId,
    assigneeId: all.technician.uid,
    ...more,
  });

export const askWorkOrderStep = (
  by: TestUser,
  { id, version }: Workorder,
  action: string,
  more: Record<string, unknown> = {},
) => by.ask("workorder.step", { id, version, action, ...more });
export async function takeWorkOrderStep(
  by: TestUser,
  order: Workorder,
  action: string,
  more: Record<string, unknown> = {},
): Promise<Workorder> {
  const answer = await askWorkOrderStep(by, order, action, more);
  if (answer.code !== 200) throw new Error(`${action}: ${answer.code} ${answer.msg}`);
  return answer.data;
}

/** A picture of which no two are alike. */
export const randomJpeg = (shade = Math.random() * 255): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: { r: shade, g: 90, b: 40 } } })
    .jpeg()
    .toBuffer();

export const sendFileChunk = async (
  by: TestUser,
  id: string,
  at: number,
  bytes: Uint8Array,
): Promise<Answer<unknown>> => {
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
export async function addWorkOrderFile(
  by: TestUser,
  { id }: { id: string },
  role: WorkorderFileRole,
  bytes: Uint8Array,
  name = `${role}.jpg`,
): Promise<WorkorderFile> {
  const file = await by.call("workorder.addFile", { id, role, name, bytes: bytes.length });
  const sent = await sendFileChunk(by, file.id, 0, bytes);
  if (sent.code !== 200) throw new Error(`${name}: ${sent.code} ${sent.msg}`);
  return file;
}

/** All that W8 asks for, with so many pictures. */
export async function fillCompletion(by: TestUser, order: Workorder, imageCount = 2): Promise<Workorder> {
  for (let at = 0; at < imageCount; at++)
    await addWorkOrderFile(by, order, "picture", await randomJpeg(at * 20), `${at}.jpg`);
  await addWorkOrderFile(by, order, "receipt", await randomJpeg(), "receipt.jpg");
  return by.call("workorder.saveFinish", {
    id: order.id,
    version: order.version,
    serialNumber: order.device.serialNumber,
    description: "A new bearing",
    parts: [],
  });
}

export const viewWorkOrder = (who: TestUser, { id }: { id: string }) => who.call("workorder.detail", { id });
export const createStartedWorkOrder = async (all: AfterSalesSetup, more: Record<string, unknown> = {}) =>
  takeWorkOrderStep(all.technician, await createWorkOrder(all, more), "start");
export const createSubmittedWorkOrder = async (all: AfterSalesSetup) =>
  takeWorkOrderStep(all.technician, await fillCompletion(all.technician, await createStartedWorkOrder(all)), "submit");
