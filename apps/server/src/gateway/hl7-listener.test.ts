import { once } from "node:events";
import { createServer } from "node:http";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { ackCode, MllpSender } from "@arcada/testing/clients/mllp-client";
import { present } from "@arcada/testing/require-present";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { readGatewayConfig } from "./gateway.config.ts";
import { forwardHl7 } from "./hl7-listener.ts";

let env: TestSetup;
let key: string;
beforeAll(async () => {
  env = await setup();
  const service = await env.server.createUser("afterSalesAdmin");
  const device = { product: "Arcada gateway", serialNumber: "HL7-1", model: "G1" };
  const { activationCode } = await service.call("device.register", device);
  const bound = { serialNumber: "HL7-1", activationCode, name: "Reception" };
  key = (await env.clinic.call("device.bind", bound)).key;
  const names = { name: "Practice", application: "PVS", facility: "", createsPatients: true } as const;
  await env.clinic.call("hl7.saveConnection", { ...names, results: "off", port: 2575, tls: false });
});

/** A gateway in front of Arcada, or of another address. */
async function openGateway(cloud = env.server.address, log: (line: string) => void = () => {}) {
  const settings = { GATEWAY_CLOUD: cloud, GATEWAY_KEY: key, GATEWAY_HL7_PORT: "0" };
  const forwarding = present(await forwardHl7(readGatewayConfig(settings), log));
  const sender = await MllpSender.open(forwarding.state.port);
  onTestFinished(async () => {
    sender.close();
    await forwarding.close();
  });
  return { sender, state: forwarding.state };
}
const write = (number: string, application = "PVS"): string =>
  `MSH|^~\\&|${application}||||20260101||ADT^A04|${number}|P|2.5||||||8859/1\rPID|1||${number}||M\u00fcller^Anna||19850908|F`;

it("passes messages on and answers with Arcada's acknowledgement, also for a copy", async () => {
  const { sender, state } = await openGateway();
  const bytes = Buffer.from(write("G1"), "latin1");
  const [first, again] = [await sender.send(bytes), await sender.send(bytes)];
  expect([ackCode(first), first?.segment("MSH")?.get(10)]).toEqual(["AA", again?.segment("MSH")?.get(10)]);
  expect((await env.clinic.call("patient.list", { search: "G1" })).list).toMatchObject([{ name: "Anna Müller" }]);
  expect(ackCode(await sender.send(write("G2", "OTHER")))).toBe("AR");
  expect(state).toMatchObject({ accepted: 2, rejected: 1, unanswered: 0, trouble: null });
});

it("closes the connection without an answer while Arcada is away", async () => {
  const away = createServer((request) => request.socket.destroy()).listen(0, "127.0.0.1");
  await once(away, "listening");
  onTestFinished(() => void away.close());
  const { sender, state } = await openGateway(`http://127.0.0.1:${(away.address() as { port: number }).port}`);
  expect(await sender.send(write("G3"))).toBeNull();
  expect(state).toMatchObject({ accepted: 0, unanswered: 1 });
});

it("logs the faults of a hostile peer once a minute, and goes on for the others", async () => {
  const lines: string[] = [];
  const { sender, state } = await openGateway(env.server.address, (line) => lines.push(line));
  for (let round = 0; round < 5; round++) {
    const hostile = await MllpSender.open(state.port);
    const closed = new Promise((resolve) => hostile.socket.once("close", resolve));
    hostile.socket.write(Buffer.alloc(200_000, 0x0b));
    await closed;
  }
  expect(lines).toHaveLength(2);
  expect(ackCode(await sender.send(write("G4")))).toBe("AA");
});
