import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import type { KeyScope } from "@arcada/contract/integrations/integrations.rules";
import { createArcadaClient } from "@arcada/client/arcada-client";
import { ArcadaRefusal } from "@arcada/client/arcada-refusal";
import { refusals } from "@arcada/contract/kernel/refusals";
import { sendOrder, smallScanStl, takeStep } from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { present } from "@arcada/testing/require-present";
import { getTestServer, setup } from "@arcada/testing/setup/test-server";
import type { TestServer, TestSetup } from "@arcada/testing/setup/test-server";

const client = path.join(import.meta.dirname, "../../../../../packages/client");
const run = promisify(execFile);

let server: TestServer;
let world: TestSetup;
beforeAll(async () => {
  server = await getTestServer();
  world = await setup();
});

const createKey = async (scopes: KeyScope[]): Promise<string> =>
  (await world.clinic.call("interface.makeKey", { name: "Practice software", scopes, days: 30 })).secret;

/** Runs an example as its reader would; returns what it printed. */
async function runExample(name: string, scopes: KeyScope[], parameters: string[]): Promise<string> {
  const environment = { ARCADA_URL: server.address, ARCADA_KEY: await createKey(scopes), POLL_SECONDS: "0.2" };
  const { stdout } = await run(process.execPath, [path.join(client, "examples", name), ...parameters], {
    env: { ...process.env, ...environment },
    timeout: 25_000,
  });
  return stdout.trim();
}

describe("the TypeScript client", () => {
  it("orders a crown, and orders nothing twice when the program is started again", async () => {
    const scopes: KeyScope[] = ["patients.read", "patients.write", "orders.write", "organisation.read"];
    const first = await runExample("create-order.ts", scopes, ["Nora Client", "1990-05-05", "26"]);
    expect(first).toMatch(/^\S+ pending [\w-]{36}$/);
    const orders = await world.clinic.call("order.list", { search: "Nora Client" });
    expect(orders.list.map(({ number }) => number)).toEqual([first.split(" ")[0]]);
  });

  it("adds a scan to a patient's images", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "arcada-client-"));
    writeFileSync(path.join(folder, "upper.stl"), smallScanStl(3));
    const patientId = await createPatient(world.clinic, { name: "Scan Client" });
    const said = await runExample(
      "upload-scan.ts",
      ["studies.read", "studies.write"],
      [patientId, path.join(folder, "upper.stl")],
    );
    const studies = await world.clinic.call("study.list", { patientId });
    expect(said).toBe(`done ${present(studies[0]).id}`);
  });

  it("waits until the laboratory submits a design", async () => {
    const order = await takeStep(world.lab, await sendOrder(world), "accept");
    const said = runExample("wait-for-design.ts", ["orders.read"], [order.id]);
    const upload = await world.lab.upload("crown-11.stl", smallScanStl(5));
    await takeStep(world.lab, await world.lab.call("order.detail", { id: order.id }), "submitDesign", {
      files: [{ upload, role: "design" }],
    });
    expect(await said).toBe("design 1: crown-11.stl");
  });

  it("throws the refusal of the server with its code, in the reader's language", async () => {
    const arcada = createArcadaClient({ url: server.address, key: await createKey(["orders.read"]), language: "zh" });
    const refused = arcada.call("order.detail", { id: "01a2259f-4354-7f15-a5ee-6ca36ccc9f2f" });
    const error = await refused.catch((one: unknown) => one);
    expect(error).toBeInstanceOf(ArcadaRefusal);
    expect(error).toMatchObject({
      status: 404,
      code: refusals.notFound.code,
      message: expect.stringMatching(/[一-鿿]/),
    });
  });
});

describe("the Python client", async () => {
  const hasPython = await run("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"]).then(
    () => true,
    () => false,
  );
  it.skipIf(!hasPython)("compiles and lists the orders of an organisation", async () => {
    const order = await sendOrder(world);
    const program = [
      "import os, sys",
      `sys.path.insert(0, ${JSON.stringify(path.join(client, "python"))})`,
      "from arcada_client import Arcada, ArcadaRefusal",
      'arcada = Arcada(os.environ["ARCADA_URL"], os.environ["ARCADA_KEY"])',
      'print(arcada.order_detail({"id": sys.argv[1]})["number"])',
      "try:",
      "    arcada.patient_list({})",
      "except ArcadaRefusal as refusal:",
      "    print(refusal.status)",
    ].join("\n");
    const environment = { ARCADA_URL: server.address, ARCADA_KEY: await createKey(["orders.read"]) };
    const { stdout } = await run("python3", ["-B", "-W", "error", "-c", program, order.id], {
      env: { ...process.env, ...environment },
    });
    expect(stdout.trim().split("\n")).toEqual([order.number, "403"]);
  });
});
