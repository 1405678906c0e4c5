import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import { readExocadProject } from "@arcada/exchange/exocad/read-exocad-project";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createArchScan } from "@arcada/phantom/scan/arch-scan";
import { crownOrderInput, latestRevisionHash, takeStep } from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { GatewayProcess, UnreliableConnection } from "@arcada/testing/peers/gateway-process";
import { present } from "@arcada/testing/require-present";
import { startSharedProduct, type SharedProduct } from "@arcada/testing/setup/killable-product";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";

const head = makeHead("lab agent");
const upper = Buffer.from(writeStl(createArchScan(head, "upper")));
const lower = Buffer.from(writeStl(createArchScan(head, "lower")));
const folders = ["scans", "cases"].map((name) => mkdtempSync(path.join(tmpdir(), `arcada-${name}-`)));
const [scans = "", cases = ""] = folders;

let shared: SharedProduct;
let env: TestSetup;
let connection: UnreliableConnection;
let clinicGateway: GatewayProcess;
let agent: GatewayProcess;

beforeAll(async () => {
  shared = await startSharedProduct();
  env = await setup();
  connection = await UnreliableConnection.to(shared.product.port);
  const cloud = { GATEWAY_CLOUD: `http://127.0.0.1:${connection.port}`, GATEWAY_SETTLE_SECONDS: "1" };
  clinicGateway = new GatewayProcess({ ...cloud, GATEWAY_KEY: await bindScanner(), GATEWAY_WATCH: `${scans}=IOS` });
  const { secret } = await env.lab.call("interface.makeKey", { name: "exocad 1", scopes: ["lab.agent"], days: 30 });
  agent = new GatewayProcess({ ...cloud, GATEWAY_KEY: secret, GATEWAY_LAB_FOLDER: cases });
  await clinicGateway.start();
  await agent.start();
}, 180_000);
afterAll(async () => {
  await clinicGateway?.remove();
  await agent?.remove();
  connection?.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function bindScanner(): Promise<string> {
  const service = await env.server.createUser("afterSalesAdmin");
  const serialNumber = `AGENT-${Date.now()}`;
  const registered = { product: "Arcada Scan", serialNumber, model: "S1" };
  const { activationCode } = await service.call("device.register", registered);
  return (await env.clinic.call("device.bind", { serialNumber, activationCode, name: "Scanner" })).key;
}

const delivered = (): string[] => readdirSync(cases).filter((name) => !name.startsWith("."));
const arrives = async (work: () => unknown, timeout = 60_000): Promise<void> => {
  await expect.poll(work, { timeout, interval: 100 }).toBeTruthy();
};
const readOrder = (id: string): Promise<Order> => env.lab.call("order.detail", { id });

/** A scanner exports a case with its project file; the gateway brings it to the patient of its number. */
async function scanPatient(): Promise<{ patient: string; study: string }> {
  const patient = await createPatient(env.clinic, { name: "Amelia Hart" });
  const { number } = await env.clinic.call("patient.detail", { id: patient });
  const project = `<Treatment><Patient><PatientId>${number}</PatientId><PatientName>Hart</PatientName><PatientFirstName>Amelia</PatientFirstName></Patient></Treatment>`;
  writeFileSync(path.join(scans, "scan.dentalProject"), project);
  writeFileSync(path.join(scans, "scan-upperjaw.stl"), upper);
  writeFileSync(path.join(scans, "scan-lowerjaw.stl"), lower);
  const ready = async () =>
    (await env.clinic.call("study.list", { patientId: patient })).find(({ state }) => state === "ready");
  await arrives(ready);
  return { patient, study: present(await ready()).id };
}

async function orderDesign({ patient, study }: { patient: string; study: string }): Promise<Order> {
  const sent = await env.dentist.call("order.save", {
    ...crownOrderInput(patient, env.lab.iid, { noDigitalFiles: false, workKinds: ["design"] }),
    studies: [study],
    send: true,
  });
  return takeStep(env.lab, sent, "accept", { promisedDate: "2030-01-01" });
}

it("carries a scan to an order, into exocad's folder, back as a design and to its approval, over kills of the agent and the server", async () => {
  const order = await orderDesign(await scanPatient());

  // The agent dies as soon as it unpacks, and the server while the agent is away.
  await arrives(() => readdirSync(cases).length > 0);
  await agent.stop("SIGKILL");
  await shared.product.kill();
  await agent.start();
  await arrives(async () => (await agent.labStatus()).trouble);
  await shared.product.start();
  await arrives(() => delivered().length === 1 && existsSync(path.join(cases, ...delivered(), "arcada-order.json")));
  const folder = path.join(cases, present(delivered()[0]));
  const name = path.basename(folder);
  const project = readExocadProject(readFileSync(path.join(folder, `${name}.dentalProject`)), name);
  expect([project.orderNumber, project.items.map(({ teeth }) => teeth)]).toEqual([order.number, [[11]]]);
  expect(readFileSync(path.join(folder, `${name}-upperjaw.stl`)).equals(upper)).toBe(true);
  expect(readFileSync(path.join(folder, `${name}-lowerjaw.stl`)).equals(lower)).toBe(true);

  // exocad saves a design; the connection breaks during its upload, and the agent dies.
  connection.breakConnections(2, 100_000, 400_000);
  writeFileSync(path.join(folder, `${name}-11-crown_cad.stl`), upper);
  writeFileSync(path.join(folder, `${name}.constructionInfo`), "<ConstructionInfo/>");
  await arrives(() => connection.breakCount > 0);
  await agent.stop("SIGKILL");
  await agent.start();
  await arrives(async () => (await readOrder(order.id)).designRevision === 1);

  // A design that changes again while the clinic has not decided replaces the first.
  writeFileSync(path.join(folder, `${name}-11-crown_cad.stl`), lower);
  await arrives(async () => (await readOrder(order.id)).designRevision === 2);
  await agent.stop("SIGKILL");
  await agent.start();
  await arrives(async () => (await agent.labStatus()).lastSuccess);
  await new Promise((resolve) => setTimeout(resolve, 3000));

  const designed = await env.dentist.call("order.detail", { id: order.id });
  expect(designed.revisions.map(({ state }) => state)).toEqual(["withdrawn", "submitted"]);
  const approved = await takeStep(env.dentist, designed, "confirmDelivery", {
    revisionHash: latestRevisionHash(designed),
  });
  expect(approved.state).toBe("completed");
  expect([delivered(), (await agent.labStatus()).problems]).toEqual([[name], []]);
  expect(await agent.labStatus()).toMatchObject({ delivered: 1, designs: 2, trouble: null });
}, 240_000);
