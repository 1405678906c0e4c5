import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { DimseClient, type AssociationOptions } from "@arcada/testing/clients/dimse-client";
import { tlsCertificate } from "@arcada/testing/peers/tls-certificate";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { listenForDicom } from "../dicom-port.ts";
import { readConfig } from "../platform/runtime/config.ts";
import { statusCodes } from "./command-set.ts";
import { encodePdu } from "./pdu.ts";
import type { DimseReceiver } from "./receiver.ts";
import { present } from "@arcada/testing/require-present";

let env: TestSetup;
beforeAll(async () => void (env = await setup()));
const folder = mkdtempSync(path.join(tmpdir(), "arcada-tls-"));
const [cert, key] = [path.join(folder, "cert.pem"), path.join(folder, "key.pem")];
writeFileSync(cert, tlsCertificate.cert);
writeFileSync(key, tlsCertificate.key);
afterAll(() => rmSync(folder, { recursive: true }));

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
async function receiver(callers: string, more: Record<string, string> = {}): Promise<DimseReceiver> {
  const given = { HOST: "127.0.0.1", DICOM_PORT: "0", DICOM_CALLING_AES: callers, ...more };
  const opened = present(await listenForDicom(readConfig(given), env.server.running.database));
  open.push(opened);
  return opened;
}
/**
 * Returns the type of the received PDU, null if the connection was closed without one, or "no" if no connection was
 * made.
 */
async function called(to: AssociationOptions): Promise<number | null | "no"> {
  try {
    const { client, unit } = await DimseClient.associate(to);
    open.push({ close: async () => void client.socket.destroy() });
    return unit?.type ?? null;
  } catch {
    return "no";
  }
}
const [accepted, rejected] = [2, 3];

describe("a device", () => {
  it("is admitted only from its own network, and from any network if none is configured", async () => {
    const { iid } = env.clinic;
    const { port } = await receiver(`CBCT1@127.0.0.0/8=${iid},PANO@10.1.0.0/16+192.168.7.9=${iid},ANY=${iid}`);
    const answers = ["CBCT1", "PANO", "ANY"].map((callingTitle) => called({ port, callingTitle }));
    expect(await Promise.all(answers)).toEqual([accepted, rejected, accepted]);
  });

  it("is disconnected before its data is read if no application may call from its address", async () => {
    const { port } = await receiver(`CBCT1@10.1.0.0/16=${env.clinic.iid}`);
    expect(["no", null]).toContain(await called({ port }));
  });

  it("may have an @ in its title", async () => {
    const { port } = await receiver(`CT@ROOM=${env.clinic.iid}`);
    expect(await called({ port, callingTitle: "CT@ROOM" })).toBe(accepted);
  });

  it("may not send more than an association request before it is admitted", async () => {
    const { port } = await receiver(`CBCT1=${env.clinic.iid}`);
    const client = await DimseClient.connect(port);
    client.socket.write(encodePdu("associateRequest", Buffer.alloc(70_000)));
    expect((await client.readPdu().catch(() => null))?.type ?? 7).toBe(7);
    expect(await called({ port })).toBe(accepted);
  });

  it("waits for admission with few others of its address, and no longer counts once it is admitted", async () => {
    const { port } = await receiver(`CBCT1=${env.clinic.iid}`);
    const silent: DimseClient[] = [];
    for (let count = 0; count < 16; count++) silent.push(await DimseClient.connect(port));
    expect(["no", null]).toContain(await called({ port }));
    for (const one of silent) one.socket.destroy();
    await expect.poll(() => called({ port })).toBe(accepted);
  });
});

describe("the port with TLS", () => {
  const secured = { DICOM_TLS_CERT: cert, DICOM_TLS_KEY: key };
  const knows = { ca: tlsCertificate.cert };

  it("accepts devices that use TLS, and no others", async () => {
    const { port } = await receiver(`CBCT1=${env.clinic.iid}`, secured);
    const { client, unit } = await DimseClient.associate({ port, tls: knows });
    open.push({ close: async () => void client.socket.destroy() });
    expect([unit?.type, await client.echo()]).toEqual([accepted, statusCodes.success]);
    expect(["no", null]).toContain(await called({ port }));
    expect(await called({ port, tls: { ...knows, maxVersion: "TLSv1.1", minVersion: "TLSv1" } })).toBe("no");
  });

  it("requires a device certificate if a certificate authority is configured", async () => {
    const { port } = await receiver(`CBCT1=${env.clinic.iid}`, { ...secured, DICOM_TLS_CA: cert });
    expect(["no", null]).toContain(await called({ port, tls: knows }));
    expect(await called({ port, tls: { ...knows, ...tlsCertificate } })).toBe(accepted);
  });

  it("is checked at the start", async () => {
    await expect(receiver("", { ...secured, DICOM_TLS_KEY: cert })).rejects.toThrow("DICOM_TLS_KEY");
    await expect(receiver("", { ...secured, DICOM_TLS_CERT: `${folder}/none` })).rejects.toThrow("cannot be read");
    expect(() => readConfig({ DICOM_TLS_CERT: cert })).toThrow("DICOM_TLS_KEY: is needed beside DICOM_TLS_CERT");
  });
});
