import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { setupCalls } from "@arcada/contract/account/setup.calls";
import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import { Product } from "@arcada/testing/setup/product-process";

const root = path.join(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "arcada-commands-"));
const products: Product[] = [];
afterAll(async () => {
  for (const product of products) await product.remove();
  rmSync(folder, { recursive: true, force: true });
});
function createProduct(settings: Record<string, string> = {}): Product {
  const product = new Product(settings);
  products.push(product);
  return product;
}

const password = "a-long-fine-password-7";
const passwordFile = path.join(folder, "password");
writeFileSync(passwordFile, password);

/** Runs the command line on a data folder. */
async function runCommand(dataDir: string, ...words: string[]) {
  const child = spawn(process.execPath, ["apps/server/src/cli.ts", "admin", ...words], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, ARCADA_DEMO: "off" },
  });
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output.text += String(chunk)));
  const [code] = (await once(child, "close")) as [number];
  return { code, text: output.text };
}
const signIn = async (product: Product, account: string): Promise<string> =>
  (await product.call(signInCalls.login, { account, password })).token;
const linkIn = (text: string): string | undefined => /\/setup#([\w-]{43})/.exec(text)?.[1];

describe("an admin command", () => {
  it("works before the first start and while the server runs, without a restart", { timeout: 180_000 }, async () => {
    const dataDir = path.join(folder, "data");
    const made = await runCommand(dataDir, "create-operator", "--email", "a@b.test", "--password-file", passwordFile);
    expect(made).toEqual({ code: 0, text: "a@b.test is an operator.\n" });

    const product = createProduct({ DATA_DIR: dataDir });
    await product.start();
    expect(linkIn(product.output), "an installation with an operator prints no link").toBeUndefined();
    const token = await signIn(product, "a@b.test");
    expect((await product.call(operatorCalls.installation, {}, { token })).publicUrl).toBeNull();

    await runCommand(dataDir, "create-operator", "--email", "c@b.test", "--password-file", passwordFile);
    const disabled = await runCommand(dataDir, "disable-user", "--account", "a@b.test");
    expect(disabled).toEqual({ code: 0, text: "a@b.test is suspended.\n" });
    expect((await product.ask(operatorCalls.installation, {}, { token })).code).not.toBe(200);
    await signIn(product, "c@b.test");
    expect((await product.ask(signInCalls.login, { account: "a@b.test", password })).code).not.toBe(200);
    await product.stop();
    expect((await runCommand(dataDir, "list-users")).text).toMatch(/a@b\.test\s+a\s+suspended\s+operator/);
  });

  it("answers wrong arguments with one sentence and exit code 2, before it opens anything", async () => {
    const { code, text } = await runCommand(path.join(folder, "never"), "reset-password", "--who", "a@b.test");
    expect([code, text.trim().split("\n")]).toEqual([2, [expect.stringContaining("Unknown option '--who'. Wanted:")]]);
  });
});

describe("a start without an operator", () => {
  it("prints a link, which creates the operator; later starts print none", { timeout: 180_000 }, async () => {
    const product = createProduct();
    await product.start();
    const link = linkIn(product.output) ?? "";
    const { token } = await product.call(setupCalls.finishSetup, {
      link,
      email: "first@b.test",
      name: "Ada",
      password,
      confirm: password,
    });
    await product.call(operatorCalls.overview, {}, { token: token ?? "" });
    await product.stop();
    await product.start();
    expect(linkIn(product.output)).toBeUndefined();
  });

  it("prints no link with the demo on", { timeout: 120_000 }, async () => {
    const product = createProduct({ ARCADA_DEMO: "accounts" });
    await product.start();
    expect(linkIn(product.output)).toBeUndefined();
  });

  it("prints one if the only operator is a closed demo account", { timeout: 180_000 }, async () => {
    const dataDir = path.join(folder, "former-demo");
    const demo = createProduct({ DATA_DIR: dataDir, ARCADA_DEMO: "accounts" });
    await demo.start();
    await demo.stop();
    const product = createProduct({ DATA_DIR: dataDir });
    await product.start();
    expect(linkIn(product.output)).toBeDefined();
  });
});
