import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "@arcada/testing/require-present";
import { toBlockList } from "../platform/security/outbound-address-guard.ts";
import { createKeyFinder, readKeySet } from "./client-keys.ts";

let respond: () => { status: number; body: string; headers?: Record<string, string> };
let asked = 0;
const server = createServer((_, response) => {
  asked += 1;
  const { status, body, headers } = respond();
  response.writeHead(status, headers).end(body);
});
let address = "";
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
});
afterAll(() => void server.close());

const finder = (networks: string[]) => createKeyFinder({ WEBHOOK_NETWORKS: toBlockList(networks) });
const makeKey = async (kid: string, alg = "ES384") => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { jwk: { ...(await exportJWK(publicKey)), kid }, privateKey, alg, kid };
};
type Key = Awaited<ReturnType<typeof makeKey>>;
const sign = ({ privateKey, alg, kid }: Key) => new SignJWT({}).setProtectedHeader({ alg, kid }).sign(privateKey);
const setOf = (...keys: Key[]) => JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });

describe("a fetched set of keys", () => {
  it("is trusted for a while, and fetched again for a key that it lacks only after a pause", async () => {
    const [old, fresh] = [await makeKey("old"), await makeKey("fresh")];
    respond = () => ({ status: 200, body: setOf(old) });
    asked = 0;
    const keys = present(await finder(["127.0.0.0/8"])(address));
    await jwtVerify(await sign(old), keys);
    await jwtVerify(await sign(old), keys);
    expect(asked).toBe(1);
    respond = () => ({ status: 200, body: setOf(old, fresh) });
    await expect(jwtVerify(await sign(fresh), keys)).rejects.toThrow("no applicable key");
    expect(asked).toBe(1);
  });

  it.each([
    ["in an inner network", [], () => ({ status: 200, body: "{}" }), 0],
    ["behind a redirect", ["127.0.0.0/8"], () => ({ status: 302, body: "", headers: { location: "/other" } }), 1],
    ["that is endless", ["127.0.0.0/8"], () => ({ status: 200, body: "x".repeat(100_000) }), 1],
    ["that is no JSON", ["127.0.0.0/8"], () => ({ status: 200, body: "<html>" }), 1],
  ])("%s gives no key", async (_, networks, answer, requests) => {
    const key = await makeKey("a");
    respond = answer;
    asked = 0;
    const keys = present(await finder(networks)(address));
    await expect(jwtVerify(await sign(key), keys)).rejects.toThrow("cannot be fetched");
    expect(asked).toBe(requests);
  });
});

describe("a set of keys", () => {
  it("keeps the keys that may sign with RS384 or ES384", async () => {
    const rsa = await makeKey("rsa", "RS384");
    const curve256 = await makeKey("p256", "ES256");
    const read = await readKeySet(setOf(rsa, curve256, await makeKey("p384")));
    expect(read?.keys.map(({ kid }) => kid)).toEqual(["rsa", "p384"]);
  });

  it.each([
    ["a private key", { kty: "EC", crv: "P-384", x: "a", y: "b", d: "c" }],
    ["a shared secret", { kty: "oct", k: "c2VjcmV0" }],
    ["a key for encryption", { kty: "RSA", use: "enc", n: "a", e: "AQAB" }],
    ["a key of too few bits", { kty: "RSA", n: "sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri", e: "AQAB" }],
  ])("with %s is not accepted", async (_, key) => {
    expect(await readKeySet(JSON.stringify({ keys: [key] }))).toBeNull();
  });
});
