import { cpSync, existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
import { buildServer } from "../../scripts/lib/build-server.mjs";

/** `npm start` runs a bundle of the server; all other tests run its sources. */
describe.skipIf(process.env["ARCADA_IMAGE"])("the bundled server", { timeout: 180_000 }, () => {
  const products: Product[] = [];
  let program: string;
  beforeAll(async () => {
    program = await buildServer(process.execPath);
  }, 120_000);
  afterAll(async () => {
    for (const product of products) await product.remove();
  });
  function openProduct(environment: Record<string, string> = {}, bundled = program): Product {
    const product = new Product(environment, undefined, bundled);
    products.push(product);
    return product;
  }
  async function startBundle(environment: Record<string, string> = {}): Promise<Product> {
    const product = openProduct(environment);
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

  it("finds the script of each thread", () => {
    const folder = path.dirname(program);
    const code = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), "utf8"));
    const named = [...code.join().matchAll(/new URL\("([^"]+\.worker\.ts)", new URL\("([^"]+)", import\.meta\.url\)/g)];
    const scripts = named.map(([, script = "", place = ""]) => path.resolve(folder, place, "..", script));
    const root = path.join(import.meta.dirname, "../..");
    const existing = globSync(["apps/server/src/**/*.worker.ts", "demo/*.worker.ts"], { cwd: root });
    expect(scripts.toSorted()).toEqual(existing.map((script) => path.join(root, script)).toSorted());
  });

  it("takes node:http without its exports, one of which loads the client behind fetch", () => {
    const folder = path.dirname(program);
    const code = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), "utf8"));
    expect(code.join("\n").match(/from "node:http"|__require\("(?:node:)?http"\)/g)).toBeNull();
  });

  it("seeds the demo's accounts", async () => {
    const product = await startBundle({ ARCADA_DEMO: "accounts" });
    const [{ account }] = demoAccounts.accounts;
    const answer = await product.ask(signInCalls.login, { account, password: demoAccounts.password });
    expect(answer.code).toBe(200);
  });

  it("stops the database that was started meanwhile if a part of the bundle is broken", async () => {
    const copy = `${path.dirname(program)}-broken`;
    cpSync(path.dirname(program), copy, { recursive: true });
    try {
      const part = readdirSync(copy).find((name) => /^start-[\w-]{8}\.mjs$/.test(name)) ?? "";
      const brokenPart = 'await new Promise((resolve) => setTimeout(resolve, 3000)); throw new Error("broken part");';
      writeFileSync(path.join(copy, part), `export const start = null; ${brokenPart}`);
      const product = openProduct({}, path.join(copy, "main.mjs"));
      await expect(product.start()).rejects.toThrow("broken part");
      expect(existsSync(path.join(product.folder, "postgres.log"))).toBe(true);
      expect(existsSync(path.join(product.folder, "postgres", "postmaster.pid"))).toBe(false);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });

  it("gives its database the usual priority when it only works on jobs", async () => {
    const product = await startBundle({ ARCADA_ROLE: "worker" });
    expect(readNiceness(product.postmasterPid())).toBe(readNiceness(process.pid));
  });
});

/** The niceness of a process: field 19 of its `stat`, whose second field may contain spaces. */
const readNiceness = (pid: number) =>
  Number(
    readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")[16],
  );
