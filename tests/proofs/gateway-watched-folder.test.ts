import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createArchScan } from "@arcada/phantom/scan/arch-scan";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { GatewayProcess, UnreliableConnection } from "@arcada/testing/peers/gateway-process";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-watched-"));
const head = makeHead("watched");
const upper = Buffer.from(writeStl(createArchScan(head, "upper")));
const lower = Buffer.from(writeStl(createArchScan(head, "lower")));
const project = (number: string, lastName: string, firstName: string): string =>
  `\uFEFF<Treatment><Patient><PatientId>${number}</PatientId><PatientName>${lastName}</PatientName><PatientFirstName>${firstName}</PatientFirstName></Patient>
  <Teeth><Tooth><Number>16</Number><ReconstructionType>AnatomicCrown</ReconstructionType></Tooth></Teeth></Treatment>`;

let env: TestSetup;
let connection: UnreliableConnection;
let gateway: GatewayProcess;
beforeAll(async () => {
  env = await setup();
  const service = await env.server.createUser("afterSalesAdmin");
  const serialNumber = `WATCH-${Date.now()}`;
  const { activationCode } = await service.call("device.register", {
    product: "Arcada Scan",
    serialNumber,
    model: "S1",
  });
  const { key } = await env.clinic.call("device.bind", { serialNumber, activationCode, name: "Scanner" });
  connection = await UnreliableConnection.to(Number(new URL(env.server.address).port));
  gateway = new GatewayProcess({
    GATEWAY_CLOUD: `http://127.0.0.1:${connection.port}`,
    GATEWAY_KEY: key,
    GATEWAY_WATCH: `${folder}=ios`,
    GATEWAY_SETTLE_SECONDS: "1",
  });
  await gateway.start();
});
afterAll(async () => {
  await gateway?.remove();
  connection?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The names of all files in the patient's studies, sorted. */
async function filesOf(patientId: string): Promise<string[]> {
  const studies = await env.clinic.call("study.list", { patientId });
  const details = await Promise.all(studies.map(({ id }) => env.clinic.call("study.detail", { id })));
  return details
    .flatMap(({ series }) => series.flatMap(({ instances }) => instances.map(({ name }) => name)))
    .toSorted();
}
const watched = async () => (await gateway.status()).watched[0];

describe("a folder that a scanner's program writes into", { timeout: 120_000 }, () => {
  it("sends each file of a case once to the patient of its number, over broken connections and a kill", async () => {
    const patient = await createPatient(env.clinic, { name: "Amelia Hart" });
    const { number } = await env.clinic.call("patient.detail", { id: patient });
    connection.breakConnections(3, 200_000, 900_000);
    writeFileSync(path.join(folder, "2026_Hart.dentalProject"), project(number, "Hart", "Amelia"));
    writeFileSync(path.join(folder, "2026_Hart-upperjaw.stl"), upper);
    writeFileSync(path.join(folder, "2026_Hart-lowerjaw.stl"), lower);
    await expect.poll(() => connection.breakCount, { timeout: 30_000 }).toBeGreaterThan(0);
    await gateway.stop("SIGKILL");
    await gateway.start();
    const both = ["2026_Hart-lowerjaw.stl", "2026_Hart-upperjaw.stl"];
    await expect.poll(() => filesOf(patient), { timeout: 60_000, interval: 300 }).toEqual(both);
    // A program that tidies up moves the case: it is the same one.
    mkdirSync(path.join(folder, "done"));
    for (const name of ["2026_Hart.dentalProject", ...both])
      renameSync(path.join(folder, name), path.join(folder, "done", name));
    await gateway.stop("SIGKILL");
    await gateway.start();
    await new Promise((resolve) => setTimeout(resolve, 4000));
    expect(await filesOf(patient)).toEqual(both);
    expect(await watched()).toMatchObject({ growing: 0, waiting: 0, refused: 0, trouble: null });
  });

  it("waits for a file that still grows, and leaves a case without a known patient in the inbox with its name", async () => {
    const case2 = path.join(folder, "case2");
    mkdirSync(case2);
    writeFileSync(path.join(case2, "x.dentalProject"), project("0", "Nobody", "Nora"));
    const growing = path.join(case2, "x-upperjaw.stl");
    writeFileSync(growing, upper.subarray(0, 100_000));
    await expect.poll(async () => (await watched()).growing, { timeout: 10_000 }).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect((await env.clinic.call("study.inbox", {})).list).toEqual([]);
    appendFileSync(growing, upper.subarray(100_000));
    const inbox = async () => (await env.clinic.call("study.inbox", {})).list;
    await expect
      .poll(async () => (await inbox()).map(({ person, kind }) => [person?.name, kind]), { timeout: 30_000 })
      .toEqual([["Nobody Nora", "model"]]);
  });

  it("says that Arcada is away while it is, and that the folder cannot be read after it is gone", async () => {
    connection.cut();
    writeFileSync(path.join(folder, "late-upperjaw.stl"), lower);
    await expect.poll(async () => (await watched()).trouble, { timeout: 20_000 }).toBe("away");
    connection.restore();
    await expect.poll(async () => (await watched()).trouble, { timeout: 30_000 }).toBeNull();
    rmSync(folder, { recursive: true });
    await expect.poll(async () => (await watched()).trouble, { timeout: 30_000 }).toBe("unreadable");
  });
});
