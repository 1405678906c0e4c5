import { analysisCalls, builtInEngine } from "@arcada/contract/analysis/analysis.calls";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import type { OrderState } from "@arcada/contract/order/order.lifecycle";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { reportCalls } from "@arcada/contract/report/report.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { present } from "@arcada/testing/require-present";
import type { Product } from "@arcada/testing/setup/product-process";
import { demoAccounts } from "../../apps/server/src/domain/demo-accounts.ts";

/** The ids of the demo's records that the pictures show. */
export interface DemoRecords {
  patient: string;
  panorama: string;
  ct: string;
  ceph: string;
  analysis: string;
  report: string;
  designReview: string;
  newOrder: string;
  planOrder: string;
  completedOrder: string;
}

const longestSeconds = 420;

/** Waits for the demo's records, which grow after the start, and starts one analysis. */
export async function findDemoRecords(product: Product): Promise<DemoRecords> {
  const [{ account }] = demoAccounts.accounts;
  const as = await product.call(signInCalls.login, { account, password: demoAccounts.password });
  for (let wait = 0; wait < longestSeconds; wait++) {
    const records = await readRecords(product, as).catch(() => null);
    if (records) return records;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  throw new Error("The demo's records did not come.");
}

async function readRecords(product: Product, as: { token: string }): Promise<DemoRecords> {
  const { list: orders } = await product.call(orderCalls.list, { page: 1, pageSize: 50 }, as);
  const findOrder = (state: OrderState): string => present(orders.find((order) => order.state === state)).id;
  const designReview = present(
    orders.find(({ state, step }) => state === "awaiting_design" && step === "submitted"),
  ).id;
  const patient = present((await product.call(orderCalls.detail, { id: designReview }, as)).patientId);
  const studies = await product.call(studyCalls.list, { patientId: patient }, as);
  const panorama = present(studies.find(({ kind }) => kind === "panorama")).id;
  const [analysis] = await product.call(analysisCalls.start, { studyId: panorama, engine: builtInEngine }, as);
  return {
    patient,
    panorama,
    ct: present(studies.find(({ kind, state }) => kind === "ct" && state === "ready")).id,
    ceph: await findCephalogram(product, as),
    analysis: present(analysis).id,
    report: present((await product.call(reportCalls.list, {}, as)).list[0]).id,
    designReview,
    newOrder: findOrder("pending"),
    planOrder: findOrder("awaiting_scheme"),
    completedOrder: findOrder("completed"),
  };
}

async function findCephalogram(product: Product, as: { token: string }): Promise<string> {
  const { list } = await product.call(patientCalls.list, {}, as);
  for (const { id } of list) {
    const studies = await product.call(studyCalls.list, { patientId: id }, as);
    const ceph = studies.find(({ kind }) => kind === "lateralCeph");
    if (ceph) return ceph.id;
  }
  throw new Error("No patient has a lateral cephalogram yet.");
}
