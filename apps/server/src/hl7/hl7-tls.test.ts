import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ConnectionOptions } from "node:tls";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { ackCode, MllpSender } from "@arcada/testing/clients/mllp-client";
import { clientCertificates } from "@arcada/testing/peers/client-certificates";
import { tlsCertificate } from "@arcada/testing/peers/tls-certificate";
import { present } from "@arcada/testing/require-present";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { listenForHl7 } from "../hl7-port.ts";
import { readConfig } from "../platform/runtime/config.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-hl7-tls-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
function writeFile(name: string, content: string): string {
  const at = path.join(folder, name);
  writeFileSync(at, content);
  return at;
}
const secured = {
  HL7_TLS_CERT: writeFile("server.crt", tlsCertificate.cert),
  HL7_TLS_KEY: writeFile("server.key", tlsCertificate.key),
};
const mutual = { ...secured, HL7_TLS_CA: writeFile("authority.crt", clientCertificates.authority) };
const named = { ...mutual, HL7_TLS_NAMES: "KIS=kis.hospital.example" };

let env: TestSetup;
beforeAll(async () => {
  env = await setup();
  const names = { name: "Hospital", application: "KIS", authority: "KIS", createsPatients: true } as const;
  await env.clinic.call("hl7.saveConnection", { ...names, results: "off", port: 2575, tls: false });
});

async function listen(settings: Record<string, string>): Promise<number> {
  const HL7_SENDERS = `KIS@127.0.0.0/8=${env.clinic.iid}`;
  const config = readConfig({ DATA_DIR: "/nowhere", HL7_PORT: "0", HL7_SENDERS, ...settings });
  const listener = present(await listenForHl7(config, env.server.running.database, 1000));
  onTestFinished(() => listener.close());
  return listener.port;
}

const knows = { ca: tlsCertificate.cert };
const shows = (name: Exclude<keyof typeof clientCertificates, "authority" | "key">): ConnectionOptions => ({
  ...knows,
  cert: clientCertificates[name],
  key: clientCertificates.key,
});

let count = 0;
/** Sends a new patient; the answer's code, and "no" if the connection ends without one. */
async function send(port: number, tls?: ConnectionOptions): Promise<{ number: string; code: string }> {
  const number = `TLS${++count}`;
  const pid = `PID|1||${number}^^^KIS||Sicher${count}^Ada||19850908|F`;
  const text = `MSH|^~\\&|KIS||ARCADA||20260101||ADT^A04|${number}|P|2.5\r${pid}\r`;
  // With TLS 1.3 a client learns after its own handshake that its certificate is refused.
  const sender = await MllpSender.open(port, tls).catch(() => null);
  const code = ackCode((await sender?.send(text)) ?? null) ?? "no";
  sender?.close();
  return { number, code };
}
const countPatients = async (number: string) =>
  (await env.clinic.call("patient.list", { search: number })).list.filter((one) => one.entryNumber === number).length;

describe("the port for HL7 with TLS", () => {
  it("takes messages over TLS 1.2 and 1.3, and none over older ones or in the clear", async () => {
    const port = await listen(secured);
    for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const)
      expect((await send(port, { ...knows, maxVersion })).code).toBe("AA");
    for (const tls of [undefined, { ...knows, minVersion: "TLSv1", maxVersion: "TLSv1.1" } as const]) {
      const { number, code } = await send(port, tls);
      expect([code, await countPatients(number)]).toEqual(["no", 0]);
    }
  });

  it.each([
    ["the right", shows("right"), "AA", 1],
    ["no", knows, "no", 0],
    ["a foreign", shows("foreign"), "no", 0],
    ["an expired", shows("expired"), "no", 0],
    ["another system's", shows("otherName"), "AR", 0],
    ["one with the right name inside of another name as", shows("crafted"), "AR", 0],
  ])("answers a sender with %s certificate as it deserves", async (_, tls, expected, patients) => {
    const port = await listen(named);
    const { number, code } = await send(port, tls);
    expect([code, await countPatients(number)]).toEqual([expected, patients]);
    // A peer that was refused does not disturb the next one.
    expect((await send(port, shows("right"))).code).toBe("AA");
  });

  it("tells the operator of certificates that do not pass, and not of a check that only connects", async () => {
    const lines: string[] = [];
    const spy = vi.spyOn(console, "error").mockImplementation((line) => void lines.push(String(line)));
    onTestFinished(() => spy.mockRestore());
    const port = await listen(named);
    // Each listener tells of a fault of an address once a minute.
    for (const tls of [knows, shows("expired"), undefined]) {
      const other = await listen(named);
      await send(other, tls);
      await expect.poll(() => lines.splice(0).join("")).toContain("the connection of 127.0.0.1: no TLS");
    }
    const check = connect(port, "127.0.0.1");
    await once(check, "connect");
    check.destroy();
    await send(port, shows("right"));
    expect(lines).toEqual([]);
    await send(port, shows("foreign"));
    await expect.poll(() => lines.join("")).toContain("the connection of 127.0.0.1: no TLS");
    await send(port, shows("otherName"));
    expect(lines.join("")).toContain("HL7_TLS_NAMES");
  });

  it("takes any certificate of the authority if no name is set", async () => {
    const port = await listen(mutual);
    expect([(await send(port, shows("otherName"))).code, (await send(port, shows("foreign"))).code]).toEqual([
      "AA",
      "no",
    ]);
  });

  it("is checked at the start", async () => {
    await expect(listen({ ...secured, HL7_TLS_KEY: secured.HL7_TLS_CERT })).rejects.toThrow("HL7_TLS_KEY");
    await expect(listen({ ...secured, HL7_TLS_CERT: `${folder}/none` })).rejects.toThrow("cannot be read");
    expect(() => readConfig({ HL7_TLS_CERT: secured.HL7_TLS_CERT })).toThrow("HL7_TLS_KEY");
    expect(() => readConfig({ ...secured, HL7_TLS_NAMES: "KIS=kis.hospital.example" })).toThrow("HL7_TLS_CA");
  });
});
