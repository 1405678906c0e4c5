import { execFile } from "node:child_process";
import { generateKeyPairSync, randomBytes, createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import { signatureFile } from "@arcada/contract/upgrade/upgrade.rules";
import type { SignatureFile } from "@arcada/contract/upgrade/upgrade.rules";
import { versionKey } from "@arcada/contract/upgrade/package-version";
import { resumeDownload } from "@arcada/testing/tools/resume-download";
import { type Answer, type TestServer, getTestServer } from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { verifyTicket, createTicket } from "../platform/http/zip-archive-routes.ts";
import { runAsHolder } from "../platform/live/address-holders.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { files } from "../platform/runtime/services.ts";
import { publicKeyOf } from "../platform/security/signing-key.ts";
import { signPackage } from "./package-signing.ts";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const run = promisify(execFile);
const anyTicketHolder = { id: newId(), tokenHash: "the hash of a token" };
const { privateKey } = generateKeyPairSync("ed25519");
const key = `release=${publicKeyOf(privateKey)}`;
const start = (): Promise<TestServer> => getTestServer({ PACKAGE_KEYS: key });
const folder = mkdtempSync(path.join(tmpdir(), "arcada-packages-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sum = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
const sign = (bytes: Buffer, product: string, version: string): SignatureFile =>
  signPackage({ product, version, sha256: sum(bytes), size: bytes.length }, privateKey);

/** Sends the bytes in chunks, as the page does; an interrupted chunk is sent again. */
async function send(operator: AnyTestUser, bytes: Buffer, fileName = "scanner.bin"): Promise<string> {
  const { id } = await operator.call("upgrade.begin", { fileName, bytes: bytes.length });
  const half = Math.ceil(bytes.length / 2);
  for (const [from, to] of [
    [0, half],
    [half, bytes.length],
  ] as const) {
    const answer = await fetch(`${operator.server.address}/packages/${id}`, {
      method: "PUT",
      headers: {
        token: operator.token,
        "content-type": "application/offset+octet-stream",
        "upload-offset": String(from),
      },
      body: new Uint8Array(bytes.subarray(from, to)),
    });
    expect(answer.status).toBe(200);
  }
  await expect
    .poll(async () => (await operator.call("upgrade.arrivals", {})).find((one) => one.id === id)?.sha256)
    .toBe(sum(bytes));
  return id;
}
const packageInput = { name: "Release", description: "**What is new**" };

async function publishPackage(operator: AnyTestUser, product: string, version: string, bytes = randomBytes(300_000)) {
  const id = await send(operator, bytes);
  const { signature } = sign(bytes, product, version);
  await operator.call("upgrade.publish", { id, ...packageInput, product, version, signature, evenIfLower: true });
  return { id, bytes };
}

/** A clinic with a bound device of a product, and the device's key. */
async function owner(env: TestServer, product: string) {
  const manager = await env.createUser("afterSalesAdmin");
  const clinic = await env.createUser("clinicAdmin", await env.createInstitution("clinic"));
  const serialNumber = `S${randomBytes(5).toString("hex")}`;
  const made = await manager.call("device.register", { product, serialNumber, model: "M1" });
  const { activationCode } = made;
  const bound = await clinic.call("device.bind", { serialNumber, activationCode, name: "Room 1" });
  return { clinic, manager, device: made.device.id, serialNumber, deviceKey: bound.key };
}

/** A device with a package that was published for its product, as the device itself asks for it. */
async function deviceWithPackage() {
  const env = await start();
  const operator = await env.createUser("operator");
  const product = `Scanner ${randomBytes(5).toString("hex")}`;
  const owned = await owner(env, product);
  const published = await publishPackage(operator, product, "3.0.1");
  const askLatest = (key: string, version: string) =>
    env.ask("upgrade.latest", { version }, { authorization: `Bearer ${key}` });
  const { url } = present((await askLatest(owned.deviceKey, "3.0")).data.package, "package");
  const fetchPackage = (key: string, headers = {}) =>
    fetch(`${env.address}${url}`, { headers: { authorization: `Bearer ${key}`, ...headers } });
  return { env, operator, product, ...owned, ...published, askLatest, fetchPackage };
}

describe("a package", () => {
  it("is published only as it was signed, without a changed byte, product or version, and only once", async () => {
    const env = await start();
    const operator = await env.createUser("operator");
    const bytes = randomBytes(200_001);
    const { signature } = sign(bytes, "Scanner A", "2.1.0");
    const changed = Buffer.from(bytes);
    changed[100_000] ^= 1;
    const ids = { good: await send(operator, bytes), changed: await send(operator, changed) };
    const publish = (id: string, more: object = {}) =>
      operator.ask("upgrade.publish", {
        id,
        ...packageInput,
        product: "Scanner A",
        version: "2.1.0",
        signature,
        ...more,
      });
    const other = signPackage(
      { product: "Scanner A", version: "2.1.0", sha256: sum(bytes), size: bytes.length },
      generateKeyPairSync("ed25519").privateKey,
    );
    for (const answer of [
      await publish(ids.changed),
      await publish(ids.good, { version: "2.1.1" }),
      await publish(ids.good, { product: "Scanner B" }),
      await publish(ids.good, { signature: other.signature }),
    ])
      expect(refusalOf(answer)).toBe("packageSignature");
    expect((await operator.call("upgrade.list", { product: "Scanner A" })).total).toBe(0);
    expect((await publish(ids.good)).data).toMatchObject({ state: "published", signedBy: "release", newest: true });

    const again = await send(operator, bytes);
    expect(refusalOf(await publish(again))).toBe("packageExists");
    const lower = sign(bytes, "Scanner A", "2.0.9").signature;
    const asLower = { version: "2.0.9", signature: lower };
    expect(await publish(again, asLower)).toMatchObject({
      code: refusals.packageLower.code,
      data: { newest: "2.1.0" },
    });
    expect((await publish(again, { ...asLower, evenIfLower: true })).data).toMatchObject({ newest: false });
  });

  it("arrives complete when the download is interrupted and resumed, and counts once; after a withdrawal it is refused and its holders are notified", async () => {
    const env = await start();
    const [operator, technician] = [await env.createUser("operator"), await env.createUser("afterSalesMember")];
    const { id, bytes } = await publishPackage(operator, "Scanner C", "1.0", randomBytes(3_000_000));
    const { url, signatureUrl } = await technician.call("upgrade.download", { id });
    const file = path.join(folder, "resumed.bin");
    const address = `${env.address}${url}`;
    const begun = await fetch(address, { headers: { range: "bytes=0-1234567" } });
    writeFileSync(file, Buffer.from(await begun.arrayBuffer()));
    await resumeDownload(file, address);
    expect(sum(readFileSync(file))).toBe(sum(bytes));
    const beside = signatureFile.parse(await (await fetch(`${env.address}${signatureUrl}`)).json());
    expect(beside).toEqual(sign(bytes, "Scanner C", "1.0"));
    // The page makes a second request for the signature file.
    await technician.call("upgrade.download", { id });
    expect(await operator.call("upgrade.detail", { id })).toMatchObject({
      downloads: 1,
      fetched: [{ who: technician.name }],
    });

    // T-08: an address is good for five minutes.
    const from = new Date();
    const ticket = Object.fromEntries(
      new URLSearchParams(await runAsHolder(anyTicketHolder, async () => createTicket(["package", id], from))),
    );
    const heldAfter = (seconds: number) =>
      verifyTicket(["package", id], ticket, new Date(Math.floor(from.getTime() / 1000 + seconds) * 1000));
    expect([heldAfter(299)?.holder, heldAfter(301)]).toEqual([anyTicketHolder.id, null]);

    await operator.call("upgrade.withdraw", { id, reason: "It stops the tube" });
    const [later, request] = [await fetch(address), await technician.ask("upgrade.download", { id })];
    expect([later.status, refusalOf(request)]).toEqual([409, "packageWithdrawn"]);
    const { info } = await technician.call("notice.query", {});
    expect(info[0].list[0]).toMatchObject({
      kind: "packageWithdrawn",
      params: { product: "Scanner C", version: "1.0" },
    });
    expect(refusalOf(await operator.ask("upgrade.withdraw", { id, reason: "again" }))).toBe("packageWithdrawn");
  });

  it("is for clinics with a device of its product alone", async () => {
    const env = await start();
    const operator = await env.createUser("operator");
    const { clinic } = await owner(env, "Scanner D");
    const stranger = await owner(env, "Scanner E");
    const { id } = await publishPackage(operator, "Scanner D", "3.0.1");
    await publishPackage(operator, "Scanner D", "3.0-rc.1");
    expect((await clinic.call("upgrade.list", {})).list.map(({ version }) => version)).toEqual(["3.0.1", "3.0-rc.1"]);
    expect(await clinic.call("upgrade.detail", { id })).toMatchObject({ downloads: null, fetched: null });
    expect((await stranger.clinic.call("upgrade.list", {})).total).toBe(0);
    for (const call of ["upgrade.detail", "upgrade.download"] as const)
      expect(refusalOf(await stranger.clinic.ask(call, { id }))).toBe("notFound");
  });

  it("is offered to a device that has a lower version", async () => {
    const { askLatest, deviceKey, product, bytes } = await deviceWithPackage();
    expect((await askLatest(deviceKey, "3.0.1")).data).toEqual({ package: null });
    expect((await askLatest(deviceKey, "3.0")).data.package).toMatchObject({
      product,
      version: "3.0.1",
      sha256: sum(bytes),
    });
  });

  it("is fetched by the device in parts, and by no other key", async () => {
    const { env, operator, id, bytes, deviceKey, serialNumber, fetchPackage } = await deviceWithPackage();
    const stranger = await owner(env, "Scanner E");
    const cut = Buffer.from(await (await fetchPackage(deviceKey, { range: "bytes=0-99" })).arrayBuffer());
    const rest = Buffer.from(await (await fetchPackage(deviceKey, { range: "bytes=100-" })).arrayBuffer());
    expect(sum(Buffer.concat([cut, rest]))).toBe(sum(bytes));
    expect((await fetchPackage(stranger.deviceKey)).status).toBe(404);
    expect((await fetchPackage("")).status).toBe(403);
    expect((await operator.call("upgrade.detail", { id })).fetched).toMatchObject([
      { who: serialNumber, isDevice: true },
    ]);
  });

  it("is closed to a locked device", async () => {
    const { clinic, device, deviceKey, askLatest, fetchPackage } = await deviceWithPackage();
    const { version } = await clinic.call("device.detail", { id: device });
    await clinic.call("device.step", { id: device, action: "lock", version, reason: "moved" });
    // A key is trusted for half a second.
    await expect.poll(async () => refusalOf(await askLatest(deviceKey, "1.0"))).toBe("deviceLocked");
    expect((await fetchPackage(deviceKey)).status).toBe(refusals.deviceLocked.status);
  });

  it("stops while downloading when it is withdrawn or its device is locked, and resuming is refused with the reason", async () => {
    const env = await start();
    const operator = await env.createUser("operator");
    const { clinic, device, deviceKey } = await owner(env, "Scanner H");
    const technician = await env.createUser("afterSalesMember");
    const plant = async (version: string) => {
      const id = newId();
      const { sha256, bytes } = await files().put("originals", id, randomBytes(24_000_000));
      await env.running.database.asSystem((db) =>
        sql`insert into upgrade_package (id, name, product, version, version_key, description, file_name, sha256, bytes, signature, signed_by, published_by)
          values (${id}, 'Release', 'Scanner H', ${version}, ${versionKey(version)}, 'x', 'x.bin', ${sha256}, ${bytes}, 'x', 'x', ${operator.uid})`.execute(
          db,
        ),
      );
      return id;
    };
    /** Reads slowly; returns the refusal of a resumption, or the number of bytes received. */
    const breaks = async (address: string, headers: Record<string, string>, end: () => Promise<unknown>) => {
      const answer = await fetch(`${env.address}${address}`, { headers });
      let came = 0;
      try {
        for await (const piece of present(answer.body, "body")) {
          if (came === 0) await end();
          came += piece.length;
          await new Promise((resolve) => setTimeout(resolve, 25));
        }
        return came;
      } catch {
        const range = { ...headers, range: `bytes=${came}-` };
        return refusalOf((await (await fetch(`${env.address}${address}`, { headers: range })).json()) as Answer<null>);
      }
    };
    const id = await plant("1.0");
    const { url } = await technician.call("upgrade.download", { id });
    const withdraw = () => operator.call("upgrade.withdraw", { id, reason: "It stops the tube" });
    expect(await breaks(url, {}, withdraw)).toBe("packageWithdrawn");
    const other = await plant("2.0");
    const lock = async () => {
      const { version } = await clinic.call("device.detail", { id: device });
      await clinic.call("device.step", { id: device, action: "lock", version, reason: "moved" });
    };
    const key = { authorization: `Bearer ${deviceKey}` };
    expect(await breaks(`/packages/${other}/x.bin`, key, lock)).toBe("deviceLocked");
  }, 60_000);

  it("is verified again after the download, with the name of the part that is wrong", async () => {
    const program = path.join(import.meta.dirname, "package.cli.ts");
    const asks = (...given: string[]) =>
      run(process.execPath, [program, ...given]).then(
        ({ stdout }) => ({ code: 0, said: stdout }),
        (error: { code: number; stderr: string }) => ({ code: error.code, said: error.stderr }),
      );
    const [file, pem] = [path.join(folder, "scanner.bin"), path.join(folder, "key.pem")];
    const bytes = randomBytes(50_000);
    writeFileSync(file, bytes);
    const made = await asks("package-key", pem, "--name", "press");
    const trusted = /=(press=.{44})/.exec(made.said)?.[1] ?? "";
    expect((await asks("package-key", pem)).code).toBe(2);
    await asks("sign-package", file, "--key", pem, "--product", "Scanner F", "--version", "4.0.0");
    expect(await asks("verify-package", file, "--key", trusted)).toMatchObject({ code: 0 });
    expect(await asks("verify-package", file, "--key", key)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/signature:/),
    });

    bytes[7] ^= 1;
    writeFileSync(file, bytes);
    expect(await asks("verify-package", file, "--key", trusted)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/contents:/),
    });
    bytes[7] ^= 1;
    writeFileSync(file, bytes);
    const beside = signatureFile.parse(JSON.parse(readFileSync(`${file}.sig.json`, "utf8")));
    for (const change of [{ version: "4.0.1" }, { product: "Scanner G" }, { size: 49_999 }]) {
      writeFileSync(`${file}.sig.json`, JSON.stringify({ ...beside, ...change }));
      expect(await asks("verify-package", file, "--key", trusted)).toMatchObject({
        code: 1,
        said: expect.stringMatching(/signature:/),
      });
    }
  }, 60_000);
});
