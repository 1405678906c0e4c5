import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import { crownOrderInput, smallScanStl, takeStep } from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { refusalOf } from "@arcada/testing/refusal-of";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { openConnection, type OpenDownload } from "../cloud-connection.ts";
import { readGatewayConfig } from "../gateway.config.ts";
import { LabAgent } from "./lab-agent.ts";

let env: TestSetup;
let labFolder: string;
let ownFolder: string;
let secret: string;
let order: Order;

const newFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-lab-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
const makeKey = async (): Promise<string> =>
  (await env.lab.call("interface.makeKey", { name: "CAD computer", scopes: ["lab.agent"], days: 30 })).secret;

async function sendAcceptedOrder(name: string): Promise<Order> {
  const upload = await env.dentist.upload("upper.stl", smallScanStl());
  const sent = await env.dentist.call("order.save", {
    ...crownOrderInput(await createPatient(env.clinic, { name }), env.lab.iid, { noDigitalFiles: false }),
    workKinds: ["design"],
    uploads: [{ upload, role: "upperScan" }],
    send: true,
  });
  return takeStep(env.lab, sent, "accept", { promisedDate: "2030-01-01" });
}

beforeEach(async () => {
  env = await setup();
  [labFolder, ownFolder] = [newFolder(), newFolder()];
  secret = await makeKey();
  order = await sendAcceptedOrder("Amelia Hart");
});

/** @param change alters what arrives */
async function startAgent(change: (open: OpenDownload) => OpenDownload = (open) => open): Promise<LabAgent> {
  const config = readGatewayConfig({
    GATEWAY_CLOUD: env.server.address,
    GATEWAY_KEY: secret,
    GATEWAY_LAB_FOLDER: labFolder,
    GATEWAY_DIR: ownFolder,
  });
  const { ask, download, close } = openConnection(config);
  const agent = await LabAgent.opened({
    ask,
    download: change(download),
    closeConnection: close,
    labFolder,
    folder: ownFolder,
    softwareVersion: "agent test",
    pollMs: 50,
    settleMs: 150,
    mostPauseMs: 200,
    reportMs: 1000,
    log: () => {},
  });
  onTestFinished(() => agent.stop());
  return agent;
}
const cases = (): string[] =>
  readdirSync(labFolder)
    .filter((name) => !name.startsWith("."))
    .toSorted();
const theCase = (): string => path.join(labFolder, cases()[0] ?? "none");
const detail = () => env.lab.call("order.detail", { id: order.id });
const designRevisions = async (): Promise<number> => (await detail()).designRevision;
const arrives = async (): Promise<void> => {
  await expect.poll(cases, { timeout: 25_000 }).toHaveLength(1);
};
const design = (size: number): void => {
  writeFileSync(path.join(theCase(), "case-11-crown_cad.stl"), smallScanStl(size));
  writeFileSync(
    path.join(theCase(), "case.constructionInfo"),
    `<ConstructionInfo><ProjectName>${size}</ProjectName></ConstructionInfo>`,
  );
  writeFileSync(path.join(theCase(), "case-preview_cad.stl"), smallScanStl(9));
};

describe("a laboratory's agent", () => {
  it("puts an accepted order into the folder as a whole case of exocad", async () => {
    const agent = await startAgent();
    await arrives();
    const [name] = cases();
    expect(name).toMatch(/^\d{4}-\d\d-\d\d_Amelia_Hart$/);
    expect(readFileSync(path.join(theCase(), `${name}-upperjaw.stl`)).equals(Buffer.from(smallScanStl()))).toBe(true);
    expect(readdirSync(theCase()).toSorted()).toEqual([
      `${name}-upperjaw.stl`,
      `${name}.dentalProject`,
      "arcada-order.json",
      "manifest.json",
    ]);
    await expect.poll(() => agent.state).toMatchObject({ delivered: 1, waiting: 0, problems: [], trouble: null });
  });

  it("sends a finished design without previews as a revision, a changed one as the next, and an unchanged one never", async () => {
    const agent = await startAgent();
    await arrives();
    design(3);
    await expect.poll(designRevisions).toBe(1);
    const first = await detail();
    expect(first).toMatchObject({ step: "submitted", turn: "sender" });
    expect(
      first.files
        .filter(({ role }) => role === "design")
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(["case-11-crown_cad.stl", "case.constructionInfo"]);
    await agent.stop();
    const again = await startAgent();
    await expect.poll(() => again.state.lastSuccessAt).not.toBeNull();
    design(4);
    await expect.poll(designRevisions).toBe(2);
    const states = (await detail()).revisions.map(({ number, state }) => [number, state]);
    expect(states).toEqual([
      [1, "withdrawn"],
      [2, "submitted"],
    ]);
    await expect.poll(() => again.state.designs).toBe(2);
  });

  it("delivers no case twice after its own folder was lost, and sends no design again that Arcada has", async () => {
    const agent = await startAgent();
    await arrives();
    design(3);
    await expect.poll(designRevisions).toBe(1);
    await agent.stop();
    rmSync(ownFolder, { recursive: true });
    const again = await startAgent();
    await expect.poll(() => again.state.designs).toBe(1);
    expect([cases().length, await designRevisions()]).toEqual([1, 1]);
  });

  it("keeps the case of a cancelled order, and says so to the laboratory", async () => {
    await startAgent();
    await arrives();
    const { version } = await detail();
    await env.lab.call("order.step", { id: order.id, action: "cancelByReceiver", version, reason: "no capacity" });
    const reported = async () => (await env.lab.call("interface.keys", {})).find(({ agent }) => agent)?.agent;
    await expect
      .poll(reported)
      .toMatchObject({ problem: "orderCancelled", numbers: [order.number], version: "agent test", delivered: 1 });
    expect(existsSync(theCase())).toBe(true);
  });

  it("says that a case's folder is missing, and that the folder cannot be used, and goes on after either", async () => {
    const agent = await startAgent();
    await arrives();
    const elsewhere = path.join(newFolder(), "case");
    const [name] = cases();
    renameSync(theCase(), elsewhere);
    const problems = () => agent.state.problems.map(({ problem }) => problem);
    await expect.poll(problems).toEqual(["caseMissing"]);
    rmSync(labFolder, { recursive: true });
    await expect.poll(problems).toContain("folderUnusable");
    mkdirSync(labFolder);
    renameSync(elsewhere, path.join(labFolder, name));
    await expect.poll(problems).toEqual([]);
  });

  it(
    "sends no design that is not a whole mesh, and says that Arcada refuses one that cannot be read",
    { timeout: 60_000 },
    async () => {
      const agent = await startAgent();
      await arrives();
      const whole = Buffer.from(smallScanStl(5));
      const file = path.join(theCase(), "case-11-crown_cad.stl");
      writeFileSync(file, whole.subarray(0, -50));
      await new Promise((resolve) => setTimeout(resolve, 800));
      expect(await designRevisions()).toBe(0);
      writeFileSync(file, "solid broken\nfacet normal 0 0 x\n");
      // The file settles, travels and is read by another process: on a busy machine each takes its time.
      const patient = { timeout: 25_000 };
      const refused = [{ problem: "designRefused", numbers: [order.number] }];
      await expect.poll(() => agent.state.problems, patient).toEqual(refused);
      writeFileSync(file, whole);
      await expect.poll(designRevisions, patient).toBe(1);
      await expect.poll(() => agent.state.problems).toEqual([]);
    },
  );

  it("fetches a case that arrives damaged again, until it is whole", async () => {
    let fetched = 0;
    await startAgent((open) => async (at, rest) => {
      const answer = await open(at, rest);
      fetched += 1;
      if (fetched > 2) return answer;
      const bytes = await buffer(answer);
      bytes.fill(7, 200, 260);
      return Object.assign(Readable.from([bytes]), { statusCode: 200, headers: {} }) as unknown as IncomingMessage;
    });
    await arrives();
    expect(fetched).toBe(3);
  });
});

describe("the key of a laboratory's agent", () => {
  it("makes no other call than the agent's own, and none for orders that are not designed now", async () => {
    const bearer = { authorization: `Bearer ${secret}` };
    const ask = (call: Parameters<typeof env.server.ask>[0], input: object) => env.server.ask(call, input, bearer);
    for (const call of ["order.list", "order.detail", "order.step", "order.message"] as const)
      expect(refusalOf(await ask(call, {}))).toBe("keyScopeMissing");
    const { data } = await ask("agent.orders", {});
    expect(JSON.stringify(data)).not.toContain("Hart");
    const waiting = await env.dentist.call("order.save", {
      ...crownOrderInput(await createPatient(env.clinic), env.lab.iid),
      send: true,
    });
    expect(refusalOf(await ask("agent.fetch", { id: waiting.id }))).toBe("orderActionNotAllowed");
    const other = await setup();
    const stranger = await other.lab.call("interface.makeKey", { name: "x", scopes: ["lab.agent"], days: 30 });
    const asStranger = { authorization: `Bearer ${stranger.secret}` };
    expect(refusalOf(await env.server.ask("agent.fetch", { id: order.id }, asStranger))).toBe("notFound");
    expect(refusalOf(await env.clinic.ask("interface.makeKey", { name: "x", scopes: ["lab.agent"], days: 30 }))).toBe(
      "badInput",
    );
  });
});
