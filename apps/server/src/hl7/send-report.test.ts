import { once } from "node:events";
import { createServer, type Server as TcpServer } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import Client, { Message } from "node-hl7-client";
import { Server } from "node-hl7-server";
import { frameMessage } from "@arcada/exchange/hl7/mllp";
import { createScoredReport, saveReport, setupSigners, signReport } from "@arcada/testing/fixtures/reports";
import { refusalOf } from "@arcada/testing/refusal-of";
import { present } from "@arcada/testing/require-present";
import { getTestServer, type TestSetup } from "@arcada/testing/setup/test-server";
import { listenForHl7 } from "../hl7-port.ts";
import type { Database } from "../platform/database/database.ts";
import { readConfig } from "../platform/runtime/config.ts";
import { attemptMessage } from "./send-report.ts";

let env: TestSetup;
beforeAll(async () => {
  await getTestServer({ HL7_NETWORKS: "127.0.0.0/8" });
  env = await setupSigners();
}, 60_000);

const connection = {
  name: "Hospital",
  application: "KIS",
  facility: "",
  authority: "KIS",
  createsPatients: true,
  results: "pdf",
  host: "127.0.0.1",
  tls: false,
} as const;

/** Signs a report of a patient who has a number of the hospital. */
async function signOne(entryNumber: string, before = async () => {}) {
  const report = await createScoredReport(env.dentist);
  const patient = await env.clinic.call("patient.detail", { id: report.patientId });
  const { id, version, name, sex, birthDate } = patient;
  await env.clinic.call("patient.update", { id, version, name, sex, birthDate, entryNumber, evenIfDuplicate: true });
  await before();
  const current = await env.dentist.call("report.detail", { id: report.id });
  const saved = await saveReport(env.dentist, current, { diagnosis: "caries" }, true);
  expect(refusalOf(await signReport(env.dentist, saved))).toBe("accepted");
  return saved;
}

const sent = async (connectionId: string) => (await env.clinic.call("hl7.messages", { connectionId })).list;

describe("a signed report", () => {
  it("reaches the receiver of another maker, with the numbers of its order", async () => {
    const receiver = new Server({ bindAddress: "127.0.0.1" });
    const got: string[] = [];
    const inbound = receiver.createInbound({ port: 8301 }, async (request, response) => {
      got.push(request.getMessage().toString());
      await response.sendResponse("AA");
    });
    await once(inbound, "listen");
    const { id } = await env.clinic.call("hl7.saveConnection", { ...connection, port: 8301 });
    expect(await env.clinic.call("hl7.tryConnection", { id })).toMatchObject({ problem: null });
    await signOne("K500", () => sendOrder(env, "K500"));
    await expect.poll(async () => (await sent(id))[0]?.state, { timeout: 30_000 }).toBe("sent");
    await inbound.close();
    const segments = present(got[0])
      .split("\r")
      .map((line) => line.split("|"));
    const find = (name: string) => present(segments.find(([first]) => first === name));
    expect([find("ORC")[2], find("ORC")[3], find("OBR")[4]?.split("^")[0]]).toEqual(["P500", "F500", "CBCT"]);
    const pdf = present(segments.find((fields) => fields[2] === "ED"))[5]?.split("^")[4];
    expect(Buffer.from(present(pdf), "base64").toString("latin1", 0, 5)).toBe("%PDF-");
    await env.clinic.call("hl7.removeConnection", { id });
  }, 60_000);

  it("is sent again until it is taken, and waits for a person where it is rejected", async () => {
    const codes = ["AE", "AR"];
    const answers: string[] = [];
    const peer = await openPeer((control) => {
      answers.push(control);
      return `MSH|^~\\&|KIS||ARCADA||20260101||ACK|1|P|2.5\rMSA|${codes.shift() ?? "AA"}|${control}|no such patient\r`;
    });
    const { id } = await env.clinic.call("hl7.saveConnection", { ...connection, port: peer.port });
    await signOne("K501");
    await expect.poll(async () => (await sent(id))[0]?.problem, { timeout: 30_000 }).toBe("error");
    const [waiting] = await sent(id);
    expect(waiting).toMatchObject({ state: "queued", tries: 1, detail: "AE: no such patient" });
    const message = present(waiting).id;
    await env.clinic.call("hl7.retry", { id: message });
    await expect.poll(async () => (await sent(id))[0]?.state, { timeout: 30_000 }).toBe("failed");
    expect((await sent(id))[0]).toMatchObject({ problem: "rejected" });
    await env.clinic.call("hl7.retry", { id: message });
    await expect.poll(async () => (await sent(id))[0]?.state, { timeout: 30_000 }).toBe("sent");
    expect(new Set(answers).size).toBe(1);
    peer.server.close();
    await env.clinic.call("hl7.removeConnection", { id });
  }, 60_000);

  it("names the same order in the copy that follows a process that died before it recorded the answer", async () => {
    const texts: string[] = [];
    const peer = await openPeer((control, text) => {
      texts.push(text);
      return `MSH|^~\\&|KIS||ARCADA||20260101||ACK|1|P|2.5\rMSA|${texts.length === 1 ? "AE" : "AA"}|${control}\r`;
    });
    const { id: connectionId } = await env.clinic.call("hl7.saveConnection", { ...connection, port: peer.port });
    const report = await signOne("K502", () => sendOrder(env, "K502"));
    await expect.poll(async () => (await sent(connectionId))[0]?.problem, { timeout: 30_000 }).toBe("error");
    const { database } = env.server.running;
    const { id } = present((await sent(connectionId))[0]);
    await database.asSystem((db) =>
      db
        .updateTable("hl7_message")
        .set({ next_at: new Date(0).toISOString() })
        .where("id", "=", id)
        .execute(),
    );
    let transactions = 0;
    const dying: Database = {
      ...database,
      asSystem: (work) =>
        ++transactions === 1 ? database.asSystem(work) : Promise.reject(new Error("the process died")),
    };
    const config = readConfig({ DATA_DIR: "/nowhere", HL7_NETWORKS: "127.0.0.0/8" });
    const signal = new AbortController().signal;
    const attempt = (from: Database, isRepeated: boolean) =>
      attemptMessage({ config, database: from, signal }, { iid: env.clinic.iid, id, isRepeated });
    await expect(attempt(dying, false)).rejects.toThrow("the process died");
    await attempt(database, true);
    expect((await sent(connectionId))[0]?.state).toBe("sent");
    const [, heard, copy] = texts.map((text) => text.split("\r").filter((line) => /^(PID|ORC|OBR)/.test(line)));
    expect(heard?.[1]).toContain("ORC|RE|P500|F500");
    expect(copy).toEqual(heard);
    const { list } = await env.clinic.call("trail.list", {});
    expect(list.filter(({ subject, action }) => subject === report.id && action === "hl7.sent")).toHaveLength(1);
    peer.server.close();
    await env.clinic.call("hl7.removeConnection", { id: connectionId });
  }, 60_000);

  it("is not sent for a patient whom the other system cannot know", async () => {
    const { id } = await env.clinic.call("hl7.saveConnection", { ...connection, port: 8302 });
    await signOne("");
    expect(await sent(id)).toEqual([]);
    await env.clinic.call("hl7.removeConnection", { id });
  }, 60_000);

  it.each([
    ["silence", () => null, "timeout"],
    ["another control id", () => "MSH|^~\\&|A||B||1||ACK|1|P|2.5\rMSA|AA|other\r", "answer"],
  ])("is not taken by a peer that answers with %s", async (_, answer, problem) => {
    const { hl7Rules } = await import("@arcada/contract/hl7/hl7.rules");
    if (problem === "timeout") expect(hl7Rules.answerSeconds).toBe(30);
    const peer = await openPeer(answer);
    const { exchangeMessage } = await import("../platform/mllp/mllp-client.ts");
    const address = { addresses: ["127.0.0.1"], host: "127.0.0.1", port: peer.port, tls: null };
    const options = { answerMs: 300, signal: new AbortController().signal };
    const got = await exchangeMessage(address, Buffer.from("MSH|^~\\&|"), options).then(
      (bytes) => Buffer.from(bytes).toString(),
      (error: { problem: string }) => error.problem,
    );
    expect(got).toContain(problem === "answer" ? "other" : "timeout");
    peer.server.close();
  });

  it("goes only to addresses that the operator allows", async () => {
    const to = { ...connection, host: "10.0.0.1", port: 2575 };
    expect(refusalOf(await env.clinic.ask("hl7.saveConnection", to))).toBe("hl7Address");
    expect(refusalOf(await env.dentist.ask("hl7.saveConnection", to))).toBe("notAllowed");
  });
});

/** Sends an order with the client of another maker. */
async function sendOrder({ clinic, server }: TestSetup, number: string) {
  const HL7_SENDERS = `KIS@127.0.0.0/8=${clinic.iid}`;
  const config = readConfig({ DATA_DIR: "/nowhere", HL7_PORT: "0", HL7_SENDERS });
  const listener = present(await listenForHl7(config, server.running.database));
  const message = new Message({
    text: [
      "MSH|^~\\&|KIS||ARCADA||20260101120000||ORM^O01^ORM_O01|PEER1|P|2.5",
      `PID|1||${number}^^^KIS^MR`,
      "ORC|NW|P500|F500",
      "OBR|1|P500|F500|CBCT^Cone beam CT",
    ].join("\r"),
  });
  const answered = Promise.withResolvers<string>();
  const client = new Client({ host: "127.0.0.1", version: "2.5" });
  const outbound = client.createConnection({ port: listener.port, version: "2.5" }, async (response) =>
    answered.resolve(response.getMessage().get("MSA.1").toString()),
  );
  await outbound.sendMessage(message);
  expect(await answered.promise).toBe("AA");
  await outbound.close();
  await listener.close();
}

/** A receiver that answers each message by its control id. */
async function openPeer(
  answer: (control: string, text: string) => string | null,
): Promise<{ server: TcpServer; port: number }> {
  const server = createServer((socket) => {
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (!text.endsWith("\u001c\r")) return;
      const reply = answer(text.split("|")[9] ?? "", text);
      if (reply !== null) socket.write(frameMessage(Buffer.from(reply)));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as { port: number }).port };
}
