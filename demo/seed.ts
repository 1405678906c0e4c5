import { Worker } from "node:worker_threads";
import type { Order } from "@arcada/contract/order/order.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { messageCalls } from "@arcada/contract/order/message-reading-and-pins.calls";
import type { OrderState } from "@arcada/contract/order/order.lifecycle";
import { chartCalls } from "@arcada/contract/chart/chart.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { readStl } from "@arcada/imaging/mesh/read-stl";
import { reopenDemoAccounts } from "../apps/server/src/account/close-demo-accounts.ts";
import { demoAccounts } from "../apps/server/src/domain/demo-accounts.ts";
import type { Database } from "../apps/server/src/platform/database/database.ts";
import { seedCapacity } from "./capacity.ts";
import { cases } from "./clinic-patients.ts";
import { charts } from "./tooth-charts.ts";
import type { DemoCase } from "./clinic-patients.ts";
import { createCast, createSecondLab, demoInstitutions } from "./create-institutions.ts";
import { seedClinics } from "./after-sales-clinics.ts";
import { seedDevices } from "./devices.ts";
import { signIn } from "./demo-client.ts";
import type { DemoClient } from "./demo-client.ts";
import type { NamedBytes } from "./create-images.ts";
import { seedReport } from "./reports.ts";
import type { ImageTask } from "./create-images.worker.ts";
import { seedUpgrades } from "./feedback-and-packages.ts";
import { seedWorkorders } from "./workorders.ts";

interface SeedContext {
  dentist: DemoClient;
  designer: DemoClient;
  labId: string;
}

/**
 * Seeds the accounts with clinics, capacity, devices, packages and work orders. Patients, images and orders are seeded
 * separately.
 */
export async function seedAccounts({ database }: { database: Database }): Promise<void> {
  await reopenDemoAccounts(database);
  await createCast(database);
  await createSecondLab(database);
  await seedClinics(database);
  await seedCapacity(database);
  await seedDevices(database);
  await seedUpgrades(database);
  await seedWorkorders(database);
}

/** Seeds patients, images and orders, unless they exist already. An interrupted seeding is resumed. */
export async function seedCases(running: { database: Database; address: string | null }): Promise<void> {
  if (!running.address || (await isSeeded(running.database))) return;
  const [, dentist, , designer] = demoAccounts.accounts;
  const stage: SeedContext = {
    dentist: await signIn(running.address, dentist.account, demoAccounts.password),
    designer: await signIn(running.address, designer.account, demoAccounts.password),
    labId: await institutionId(running.database, demoInstitutions.lab.number),
  };
  for (const { bytes } of await generate({ stray: true })) await stage.dentist.sendDicom(bytes);
  for (const one of cases.toReversed()) await seedCase(stage, one);
}

/** Generates in a thread: a minute of arithmetic must not keep the first visitor waiting. */
const generate = (task: ImageTask): Promise<NamedBytes[]> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./create-images.worker.ts", import.meta.url), { workerData: task });
    worker.once("message", resolve).once("error", reject);
  });

const institutionId = async (database: Database, number: string): Promise<string> =>
  (
    await database.asSystem((db) =>
      db.selectFrom("institution").select("id").where("number", "=", number).executeTakeFirstOrThrow(),
    )
  ).id;

/** The first case is seeded last, so it marks the end. */
async function isSeeded(database: Database): Promise<boolean> {
  const clinic = await institutionId(database, demoInstitutions.clinic.number);
  const last = await database.asSystem((db) =>
    db
      .selectFrom("orders")
      .select("orders.id")
      .innerJoin("patient", "patient.id", "orders.patient_id")
      .where("orders.institution_id", "=", clinic)
      .where("patient.entry_number", "=", cases[0]!.entry)
      .where("orders.state", "=", cases[0]!.order!.until)
      .executeTakeFirst(),
  );
  return last !== undefined;
}

/**
 * Every command has an idempotency key. After a crash the finished commands return their answers and the rest is
 * executed.
 */
async function seedCase(context: SeedContext, one: DemoCase): Promise<void> {
  const key = (part: string) => `demo-${one.entry}-${part}`;
  const patient = await context.dentist.ask(
    patientCalls.create,
    { ...one.patient, entryNumber: one.entry, evenIfDuplicate: true },
    key("patient"),
  );
  const teeth = charts[one.entry];
  if (teeth) await context.dentist.ask(chartCalls.save, { patientId: patient.id, version: 0, teeth }, key("chart"));
  const there = await context.dentist.ask(studyCalls.list, { patientId: patient.id });
  if (there.length < one.images.length) {
    const made = await Promise.all(one.images.map((kind) => generate({ entry: one.entry, kind })));
    for (const [at, kind] of one.images.entries())
      await context.dentist.importFiles(patient.id, made[at]!, `${key(kind)}-${Date.now()}`);
  }
  await seedReport(
    context.dentist,
    { patientId: patient.id, entry: one.entry, password: demoAccounts.password },
    key("report"),
  );
  if (!one.order) return;
  const studies = (await context.dentist.ask(studyCalls.list, { patientId: patient.id })).filter(
    ({ kind }) => kind === "model" || kind === "ct",
  );
  const day = new Date(Date.now() + one.order.dueInDays * 86_400_000).toISOString().slice(0, 10);
  const input = {
    ...one.order.rx,
    patientId: patient.id,
    studies: studies.map(({ id }) => id),
    targetIid: context.labId,
    dueDate: day,
    send: one.order.until !== "draft",
  };
  await playChapters(context, one, await context.dentist.ask(orderCalls.save, input, key("order")), key);
}

/** The steps of a demo order, by the state from which each starts. A story stops at the state that its case names. */
const chapters: {
  from: OrderState;
  after: (order: Order) => boolean;
  play: (context: SeedContext, one: DemoCase, order: Order, key: string) => Promise<Order | null>;
}[] = [
  {
    from: "pending",
    after: () => true,
    play: ({ designer }, _, order, key) => designer.ask(orderCalls.step, step(order, "accept", {}), key),
  },
  {
    from: "awaiting_design",
    after: (order) => order.step !== "submitted",
    play: async ({ designer }, one, order, key) => {
      const models = await generate({ entry: one.entry, teeth: order.teeth });
      const files = [];
      for (const { name, bytes } of models)
        files.push({ upload: await designer.upload(name, bytes), role: "design" as const });
      const submitted = await designer.ask(
        orderCalls.step,
        step(order, "submitDesign", { files, text: "请确认邻接与咬合。Please check contacts and occlusion." }),
        key,
      );
      await commentOnDesign(designer, submitted, models[0]?.bytes, key);
      return submitted;
    },
  },
  {
    from: "awaiting_design",
    after: (order) => order.step === "submitted",
    play: async ({ dentist }, _, order, key) => {
      const design = order.revisions.at(-1);
      if (design) await dentist.ask(messageCalls.openRevision, { id: order.id, revision: design.id });
      return dentist.ask(orderCalls.step, step(order, "confirmDesign", { revisionHash: design?.hash ?? "" }), key);
    },
  },
  {
    from: "awaiting_dispatch",
    after: () => true,
    play: ({ designer }, _, order, key) =>
      designer.ask(
        orderCalls.step,
        step(order, "dispatch", { carrier: "顺丰 SF Express", trackingNumber: "SF1024000088" }),
        key,
      ),
  },
  {
    from: "awaiting_receipt",
    after: () => true,
    play: ({ dentist }, _, order, key) => dentist.ask(orderCalls.step, step(order, "confirmReceipt", {}), key),
  },
];
/** Adds a comment at a point of the first model, and a message. */
async function commentOnDesign(
  designer: SeedContext["designer"],
  order: Order | null,
  model: Uint8Array | undefined,
  key: string,
): Promise<void> {
  const file = order?.files.find(({ revisionId }) => revisionId !== null);
  if (!order || !file || !model) return;
  const { positions } = readStl(model);
  const [x = 0, y = 0, z = 0] = positions.subarray(9 * Math.floor(positions.length / 18));
  const comment = { file: file.id, point: [x, y, z] as [number, number, number], text: "边缘到此处 Margin ends here" };
  await designer.ask(messageCalls.addPin, { id: order.id, ...comment }, `${key}-comment`);
  const text = "已按邻接 20 µm 设计，请查看模型上的批注。Contacts are set to 20 µm; see the comment on the model.";
  await designer.ask(orderCalls.message, { id: order.id, text }, `${key}-message`);
}

const step = <A extends string, M extends object>(order: Order, action: A, more: M) => ({
  id: order.id,
  action,
  version: order.version,
  ...more,
});

async function playChapters(
  context: SeedContext,
  one: DemoCase,
  first: Order,
  key: (part: string) => string,
): Promise<void> {
  const { until } = one.order!;
  let order = await context.dentist.ask(orderCalls.detail, { id: first.id });
  for (const [number, chapter] of chapters.entries()) {
    // A submitted design waits for the dentist, where this story must stop.
    const there = order.state === until && !(until === "awaiting_design" && order.step === "preparing");
    if (there) return;
    if (order.state !== chapter.from || !chapter.after(order)) continue;
    await chapter.play(context, one, order, key(`chapter-${number}`));
    order = await context.dentist.ask(orderCalls.detail, { id: first.id });
  }
}
