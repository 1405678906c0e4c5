import { pathToFileURL } from "node:url";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { crownStl } from "@arcada/testing/fixtures/patient-with-orders";
import { Product } from "@arcada/testing/setup/product-process";
import { demoAccounts } from "../../apps/server/src/domain/demo-accounts.ts";
import { waitForIngest } from "../../demo/wait-for-ingest.ts";

/** `npm start` runs a bundle of the server; all other tests run its sources. */
describe.skipIf(process.env["ARCADA_IMAGE"])("the bundled server", { timeout: 180_000 }, () => {
  const products: Product[] = [];
  let program: string;
  beforeAll(async () => {
    program = await buildServer();
  }, 120_000);
  afterAll(async () => {
    for (const product of products) await product.remove();
  });
  async function startBundle(environment: Record<string, string> = {}): Promise<Product> {
    const product = new Product(environment, undefined, program);
    products.push(product);
    await product.start();
    return product;
  }

  it("sends emails, converts a scan in a thread and describes its calls", async () => {
    const product = await startBundle();
    const registered = await product.register("bundle@clinic.test", "clinicManager");
    const clinic = { name: "Bundle", type: "clinic", country: "CN" } as const;
    const { id: iid } = await product.call(institutionCalls.create, clinic, { token: registered });
    const { token } = await product.call(institutionCalls.switch, { iid }, { token: registered });
    const person = { name: "王小明", sex: "male", birthDate: "1990-01-01", evenIfDuplicate: true } as const;
    const { id: patientId } = await product.call(patientCalls.create, person, { token });
    const upload = await product.upload(token, "upper.stl", crownStl());
    const { id } = await product.call(uploadJobCalls.open, { patientId, uploads: [upload] }, { token });
    const job = await waitForIngest(() => product.call(uploadJobCalls.job, { id }, { token }));
    expect(job).toMatchObject({ state: "done", studies: [expect.any(String)] });
    expect((await fetch(`${product.address}/openapi.json`)).status).toBe(200);
  });

  it("seeds the demo's accounts", async () => {
    const product = await startBundle({ ARCADA_DEMO: "accounts" });
    const [{ account }] = demoAccounts.accounts;
    const answer = await product.ask(signInCalls.login, { account, password: demoAccounts.password });
    expect(answer.code).toBe(200);
  });
});

async function buildServer(): Promise<string> {
  const load = (name: string) => import(pathToFileURL(path.join(import.meta.dirname, "../../scripts/lib", name)).href);
  const { findRuntime } = (await load("find-node-runtime.mjs")) as { findRuntime: () => string };
  const builder = (await load("build-server.mjs")) as { buildServer: (runtime: string) => Promise<string> };
  return builder.buildServer(findRuntime());
}
