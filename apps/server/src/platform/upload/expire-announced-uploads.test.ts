import { readdir, utimes } from "node:fs/promises";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import {
  addWorkOrderFile,
  createWorkOrder,
  randomJpeg,
  sendFileChunk,
  setupAfterSales,
} from "@arcada/testing/fixtures/work-orders";
import type { AfterSalesSetup } from "@arcada/testing/fixtures/work-orders";
import { pendingUploadRules, deleteExpiredUploads } from "./expire-announced-uploads.ts";
import { uploadParts } from "../runtime/services.ts";
import { removeStaleUploads } from "./remove-stale-uploads.ts";
import { refusalOf } from "@arcada/testing/refusal-of";
import { unfinishedUploadPath, uploadFolder } from "@arcada/testing/setup/upload-folder";

const hourMs = 3_600_000;
const dayAfter = (instant: number, ms: number) => new Date(instant + pendingUploadRules.keptHours * hourMs + ms);

/** Announces an image of a work order, one of a feedback, a clinic's consent and a package, without sending them. */
async function announced(all: AfterSalesSetup) {
  const operator = await all.testServer.createUser("operator");
  const order = await createWorkOrder(all, { assigneeId: undefined });
  const report = { id: order.id, role: "report" as const, name: "a.jpg", bytes: 900 };
  const feedback = await all.technician.call("feedback.create", wrong);
  const ids = {
    work_order_file: (await all.chief.call("workorder.addFile", report)).id,
    feedback_file: (await all.technician.call("feedback.addPicture", { id: feedback.id, name: "a.jpg", bytes: 900 }))
      .id,
    device_consent: (await all.chief.call("device.consent", { id: all.deviceId, name: "a.pdf", bytes: 900 })).id,
    package_arrival: (await operator.call("upgrade.begin", { fileName: "a.bin", bytes: 900 })).id,
  };
  return { order, ids };
}
const wrong = {
  product: "Scanner",
  model: "S2",
  softwareVersion: "2.3.1",
  ctDetectorType: "",
  ctDetectorSerial: "",
  lateralDetectorType: "",
  lateralDetectorSerial: "",
  deviceAddress: "",
  page: "scan" as const,
  description: "The scan stops at half.",
};

it("T-08: an announced upload waits a day for its next bytes and not a second longer, and a complete one stays", async () => {
  const all = await setupAfterSales();
  const { database } = all.testServer.running;
  const began = Date.now();
  const { order, ids } = await announced(all);
  const rows = async () => {
    const each = Object.entries(ids).map(([table, id]) => sql`select id from ${sql.table(table)} where id = ${id}`);
    const found = await database.asSystem((db) => sql`${sql.join(each, sql` union all `)}`.execute(db));
    return found.rows.length;
  };
  const kept = await addWorkOrderFile(all.chief, order, "report", await randomJpeg());
  await deleteExpiredUploads(database, uploadParts(), dayAfter(began, -1000));
  expect(await rows()).toBe(4);
  // Each received part restarts the day.
  await sendFileChunk(all.chief, ids.work_order_file, 0, Buffer.alloc(100));
  await database.asSystem((db) =>
    sql`update work_order_file set created_at = created_at - interval '1 day' where id = ${ids.work_order_file}`.execute(
      db,
    ),
  );
  await deleteExpiredUploads(database, uploadParts(), dayAfter(began, -1000));
  expect(await rows()).toBe(4);
  await deleteExpiredUploads(database, uploadParts(), dayAfter(Date.now(), 1000));
  expect(await rows()).toBe(0);
  const left = (await uploadParts().list()).map(({ id }) => id);
  for (const id of Object.values(ids)) expect(left).not.toContain(id);
  const [file] = (await all.chief.call("workorder.detail", { id: order.id })).files;
  expect(file).toMatchObject({ id: kept.id, isHere: true });
  expect(refusalOf(await sendFileChunk(all.chief, ids.work_order_file, 0, Buffer.alloc(1)))).toBe("uploadUnknown");
});

it("an image resumes where it was interrupted, also hours later and after the sweeper ran", async () => {
  const all = await setupAfterSales();
  const order = await createWorkOrder(all, { assigneeId: undefined });
  const bytes = await randomJpeg();
  const report = { id: order.id, role: "report" as const, name: "a.jpg", bytes: bytes.length };
  const { id } = await all.chief.call("workorder.addFile", report);
  await sendFileChunk(all.chief, id, 0, bytes.subarray(0, 100));
  // More than was announced is not taken.
  expect((await sendFileChunk(all.chief, id, 100, bytes)).status).toBe(refusals.tooLarge.status);
  const hours = new Date(Date.now() - 5 * hourMs);
  await utimes(unfinishedUploadPath(id), hours, hours);
  await removeStaleUploads(all.testServer.running.database);
  expect(await readdir(uploadFolder())).toContain(id);
  expect((await sendFileChunk(all.chief, id, 100, bytes.subarray(100))).code).toBe(200);
});
