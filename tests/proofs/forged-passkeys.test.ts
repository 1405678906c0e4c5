import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { factorRules } from "@arcada/contract/factor/factor.rules";
import { SoftwareAuthenticator } from "@arcada/testing/peers/software-authenticator";
import { register } from "@arcada/testing/fixtures/account-registration";
import { getTestServer } from "@arcada/testing/setup/test-server";
import type { TestServer } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

type PasskeyResponse = ReturnType<SoftwareAuthenticator["getAssertion"]> & { response: Record<string, unknown> };
let testServer: TestServer;
let token: string;
let ownAuthenticator: SoftwareAuthenticator;
let foreignAuthenticator: SoftwareAuthenticator;
beforeAll(async () => {
  testServer = await getTestServer();
  foreignAuthenticator = (await createOwner("theirs@passkeys.test")).key;
  ({ token, key: ownAuthenticator } = await createOwner("mine@passkeys.test"));
});
afterEach(() => void vi.useRealTimers());

async function createOwner(account: string): Promise<{ token: string; key: SoftwareAuthenticator }> {
  const begun = await register(testServer, account);
  const key = new SoftwareAuthenticator(testServer.address);
  const options = (await testServer.ask("factor.passkeyStart", {}, { token: begun })).data;
  const added = await testServer.ask(
    "factor.passkeyAdd",
    { name: "Key", response: key.createCredential(options) },
    { token: begun },
  );
  expect(added.code).toBe(200);
  return { token: added.headers.get("new-token") ?? begun, key };
}

const requestOptions = async () => (await testServer.ask("factor.passkeyOptions", {})).data;
const signIn = (response: unknown) => testServer.ask("factor.passkeySignIn", { response });
const base64 = (value: string | Buffer): string => Buffer.from(value).toString("base64url");
/** My passkey, as it answers while `change` holds. */
async function createAssertion(
  change: Partial<SoftwareAuthenticator>,
  options?: Record<string, unknown>,
): Promise<PasskeyResponse> {
  const before = {
    origin: ownAuthenticator.origin,
    relyingPartyId: ownAuthenticator.relyingPartyId,
    isUserPresent: ownAuthenticator.isUserPresent,
    verifiesUser: ownAuthenticator.verifiesUser,
  };
  Object.assign(ownAuthenticator, change);
  const shown = ownAuthenticator.getAssertion(options ?? (await requestOptions()));
  Object.assign(ownAuthenticator, before);
  return shown;
}
const withResponse = (shown: PasskeyResponse, part: Record<string, unknown>): PasskeyResponse => ({
  ...shown,
  response: { ...shown.response, ...part },
});
const withClientData = (shown: PasskeyResponse, part: Record<string, unknown>): PasskeyResponse => {
  const clientDataJson = JSON.parse(
    Buffer.from(String(shown.response["clientDataJSON"]), "base64url").toString(),
  ) as object;
  return withResponse(shown, { clientDataJSON: base64(JSON.stringify({ ...clientDataJson, ...part })) });
};

describe("T-28: a forged passkey", () => {
  const forgeries: Record<string, () => Promise<unknown>> = {
    "of another origin": () => createAssertion({ origin: "https://evil.example" }),
    "of another origin at the same host": () => createAssertion({ origin: `${testServer.address}0` }),
    "for another place": () => createAssertion({ relyingPartyId: "evil.example" }),
    "that nobody touched": () => createAssertion({ isUserPresent: false }),
    "that does not know its owner": () => createAssertion({ verifiesUser: false }),
    "whose counter went back": async () => {
      ownAuthenticator.counter = 5000;
      expect(refusalOf(await signIn(await createAssertion({})))).toBe("accepted");
      ownAuthenticator.counter = 4000;
      return createAssertion({});
    },
    "signed by another key": async () => ({
      ...foreignAuthenticator.getAssertion(await requestOptions()),
      id: base64(ownAuthenticator.id),
      rawId: base64(ownAuthenticator.id),
    }),
    "whose signature is another's": async () => {
      const options = await requestOptions();
      return withResponse(ownAuthenticator.getAssertion(options), {
        signature: foreignAuthenticator.getAssertion(options).response["signature"],
      });
    },
    "with a challenge of its own": () => createAssertion({}, { challenge: base64(Buffer.alloc(56, 7)) }),
    "with the challenge of another session's proof": async () =>
      createAssertion({}, (await testServer.ask("factor.proofOptions", {}, { token })).data),
    "with a challenge for making one": async () =>
      createAssertion({}, (await testServer.ask("factor.passkeyStart", {}, { token })).data),
    "whose words were changed after it signed": async () =>
      withClientData(await createAssertion({}), { crossOrigin: true }),
    "made for another purpose": async () => withClientData(await createAssertion({}), { type: "webauthn.create" }),
    "with words that are no JSON": async () => withResponse(await createAssertion({}), { clientDataJSON: base64("{") }),
    "with words of a megabyte": async () =>
      withClientData(await createAssertion({}), { padding: "x".repeat(1_000_000) }),
    "without a signature": async () => withResponse(await createAssertion({}), { signature: "" }),
    "with authenticator data that is cut off": async () =>
      withResponse(await createAssertion({}), { authenticatorData: base64(Buffer.alloc(20)) }),
    "with authenticator data of the wrong kind": async () =>
      withResponse(await createAssertion({}), { authenticatorData: { a: 1 } }),
    "with an identifier of nobody": async () => ({ ...(await createAssertion({})), id: base64(Buffer.alloc(32, 1)) }),
    "with an identifier that no database holds": async () => ({ ...(await createAssertion({})), id: "\u0000" }),
    "with two identifiers": async () => ({ ...(await createAssertion({})), rawId: base64(foreignAuthenticator.id) }),
    "without an answer": async () => ({ ...(await createAssertion({})), response: {} }),
  };
  it.each(Object.keys(forgeries))("%s lets nobody in, and is refused by name", async (name) => {
    const answer = await signIn(await forgeries[name]());
    // Ensures that the forgery itself is the only reason for the rejection.
    ownAuthenticator.counter = Math.max(ownAuthenticator.counter, 5000) + 1;
    expect(["passkeyWrong", "badInput"]).toContain(refusalOf(answer));
  });

  it("is accepted once by what its owner shows, and by the same answer no second time", async () => {
    ownAuthenticator.counter = 10_000;
    const shown = await createAssertion({});
    const answers = await Promise.all([signIn(shown), signIn(shown), signIn(shown)]);
    expect(answers.map(refusalOf).toSorted()).toEqual(["accepted", "passkeyWrong", "passkeyWrong"]);
  });

  it("that comes when its challenge has expired is refused", async () => {
    ownAuthenticator.counter = 20_000;
    const shown = await createAssertion({});
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + (factorRules.challengeSeconds + 1) * 1000 });
    expect(refusalOf(await signIn(shown))).toBe("passkeyWrong");
  });
});

describe("T-28: a passkey that is made by a forger", () => {
  const head = (major: number, bytes: number[]) =>
    Buffer.from([(major << 5) | (bytes.length === 4 ? 26 : 25), ...bytes]);
  const forgeries: Record<string, (made: ReturnType<SoftwareAuthenticator["createCredential"]>) => unknown> = {
    "with an attestation that is no CBOR": (made) => ({ ...made.response, attestationObject: base64("garbage") }),
    "with an attestation that is cut off": (made) => ({
      ...made.response,
      attestationObject: base64(Buffer.from(made.response["attestationObject"] as string, "base64url").subarray(0, 80)),
    }),
    "with an attestation that promises four gigabytes": (made) => ({
      ...made.response,
      attestationObject: base64(Buffer.concat([Buffer.from([0xa1, 0x61, 0x61]), head(2, [255, 255, 255, 255])])),
    }),
    "with an attestation of a million nested lists": (made) => ({
      ...made.response,
      attestationObject: base64(Buffer.alloc(1_000_000, 0x81)),
    }),
    "with a map of a million times the same key": (made) => ({
      ...made.response,
      attestationObject: base64(Buffer.concat([Buffer.from([0xba, 0, 7, 161, 32]), Buffer.alloc(1_000_000, 0x01)])),
    }),
    "without an attestation": () => ({}),
  };
  const adds = async (
    key: SoftwareAuthenticator,
    change: (made: ReturnType<SoftwareAuthenticator["createCredential"]>) => unknown = ({ response }) => response,
  ) => {
    const options = (await testServer.ask("factor.passkeyStart", {}, { token })).data;
    const made = key.createCredential(options);
    return testServer.ask(
      "factor.passkeyAdd",
      { name: "Forged", response: { ...made, response: change(made) } },
      { token },
    );
  };
  const kept = async () => (await testServer.ask("factor.list", {}, { token })).data.passkeys.length;

  it.each(Object.keys(forgeries))("%s is not kept, and is refused by name", async (name) => {
    const before = await kept();
    const answer = await adds(new SoftwareAuthenticator(testServer.address), forgeries[name]);
    expect(["passkeyWrong", "badInput"]).toContain(refusalOf(answer));
    expect(await kept()).toBe(before);
  });

  it.each([0, 5, -65535, -37])("under algorithm %i, that nobody here asked for, is refused", async (algorithm) => {
    const key = new SoftwareAuthenticator(testServer.address);
    key.algorithm = algorithm;
    expect(refusalOf(await adds(key))).toBe("passkeyWrong");
  });

  it.each([
    ["that are none", [{ a: 1 }, "carrier pigeon", null]],
    ["without end", Array<string>(100_000).fill("usb")],
    ["that are a word", "usb"],
  ])("with transports %s keeps of them what the standard names", async (_, transports) => {
    const key = new SoftwareAuthenticator(testServer.address);
    const answer = await adds(key, ({ response }) => ({ ...response, transports }));
    expect(refusalOf(answer)).toBe("accepted");
    token = answer.headers.get("new-token") ?? token;
    const row = await testServer.running.database.asSystem((db) =>
      db.selectFrom("passkey").select("transports").where("id", "=", base64(key.id)).executeTakeFirstOrThrow(),
    );
    expect(row.transports.length).toBeLessThan(2);
  });

  it("under the identifier of another user's is refused, and the other user's still opens only that user's account", async () => {
    const thief = new SoftwareAuthenticator(testServer.address);
    Object.assign(thief, { id: foreignAuthenticator.id });
    expect(refusalOf(await adds(thief))).toBe("passkeyWrong");
    expect(refusalOf(await signIn(thief.getAssertion(await requestOptions())))).toBe("passkeyWrong");
    foreignAuthenticator.counter = 1000;
    const entered = await signIn(foreignAuthenticator.getAssertion(await requestOptions()));
    const me = await testServer.ask("account.getUserInfo", {}, { token: entered.data.token });
    expect(me.data.email).toBe("theirs@passkeys.test");
  });

  it("for another origin or relying party, or without user verification, is not stored", async () => {
    for (const change of [
      { origin: "https://evil.example" },
      { relyingPartyId: "evil.example" },
      { verifiesUser: false },
      { isUserPresent: false },
    ])
      expect(refusalOf(await adds(Object.assign(new SoftwareAuthenticator(testServer.address), change)))).toBe(
        "passkeyWrong",
      );
  });
});
