import { sql } from "kysely";
import type { Input } from "@arcada/contract/kernel/call";
import type { Order, orderCalls } from "@arcada/contract/order/order.calls";
import type { OrderAction } from "@arcada/contract/order/order.cycle";
import type { StudyKind, StudyState } from "@arcada/contract/study/study.rules";
import { writeStl } from "@arcada/imaging/mesh/write";
import { newId } from "../apps/server/src/platform/runtime/ids.ts";
import { createPatient } from "./uploads.ts";
import type { TestUser, TestServer, TestSetup } from "./world.ts";

export type SaveOrderInput = Input<typeof orderCalls.save>;
export type OrderStepInput = Input<typeof orderCalls.step>;

/** One zirconia crown on 11 from a physical impression: everything that may be sent has. */
export const crownOrderInput = (
  patientId: string,
  targetIid: string | null,
  change: Partial<SaveOrderInput> = {},
): SaveOrderInput => ({
  patientId,
  targetIid,
  caseType: "restoration",
  items: [{ teeth: [11], kind: "crown", material: "zirconia", shade: "A2" }],
  workKinds: ["design", "machining"],
  dueDate: "2030-01-01",
  noDigitalFiles: true,
  ...change,
});

/** Creates an order that was sent to the lab; the dentist writes it and is its creator. */
export async function sendOrder(
  { clinic, dentist, lab }: TestSetup,
  change: Partial<SaveOrderInput> = {},
): Promise<Order> {
  const patientId = change.patientId ?? (await createPatient(clinic));
  return dentist.call("order.save", { ...crownOrderInput(patientId, lab.iid), ...change, send: true });
}

/** One action from the version that was seen last; the order after it. */
export async function takeStep(
  who: TestUser,
  order: Order,
  action: OrderAction,
  given: Partial<OrderStepInput> = {},
): Promise<Order> {
  const moved = await who.call("order.step", { id: order.id, version: order.version, action, ...given });
  if (!moved) throw new Error(`${action} left no order`);
  return moved;
}

export const latestRevisionHash = (order: Order): string => order.revisions.at(-1)?.hash ?? "";

/** A tetrahedron: the smallest surface that is one. `size` makes its bytes differ. */
export const smallScanStl = (size = 1): Uint8Array =>
  writeStl({
    positions: Float32Array.from([0, 0, 0, size, 0, 0, 0, size, 0, 0, 0, size]),
    indices: Uint32Array.from([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]),
    colours: null,
  });

/** A study as an ingest leaves it: one picture, one model or a volume, its description and file named after the patient. */
export async function insertStudy(
  server: TestServer,
  clinic: TestUser,
  patientId: string,
  kind: StudyKind,
  how: { state?: StudyState; name?: string } = {},
): Promise<string> {
  const [id, seriesId] = [newId(), newId()];
  const model = kind === "model";
  const name = how.name ?? "王小明";
  await server.running.database.asSystem(async (db) => {
    await sql`insert into study (institution_id, id, patient_id, kind, kind_certain, state, description, count, bytes, created_by)
      values (${clinic.iid}, ${id}, ${patientId}, ${kind}, true, ${how.state ?? "ready"}, ${`${name} head`}, 1, 1000, ${clinic.uid})`.execute(
      db,
    );
    await sql`insert into series (institution_id, id, study_id, kind, place)
      values (${clinic.iid}, ${seriesId}, ${id}, ${model ? "models" : "pictures"}, 0)`.execute(db);
    await sql`insert into instance (institution_id, id, study_id, series_id, place, name, format, bytes, sha256)
      values (${clinic.iid}, ${newId()}, ${id}, ${seriesId}, 0, ${`${name}_upper.${model ? "stl" : "dcm"}`}, ${model ? "stl" : "dicom"}, 1000,
        ${id.replaceAll("-", "").padEnd(64, "0")})`.execute(db);
  });
  return id;
}
