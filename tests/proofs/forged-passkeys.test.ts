import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { factorRules } from "@arcada/contract/factor/factor.rules";
import { refusals } from "@arcada/contract/kernel/refusals";
import { Authenticator } from "../authenticator.ts";
import { register } from "../people.ts";
import { server } from "../world.ts";
import type { Answer, TestServer } from "../world.ts";

type Response = ReturnType<Authenticator["shows"]> & { response: Record<string, unknown> };
let here: TestServer;
let token: string;
let mine: Authenticator;
let theirs: Authenticator;
beforeAll(async () => {
  here = await server();
  theirs = (await ownerOf("theirs@passkeys.test")).key;
  ({ token, key: mine } = await ownerOf("mine@passkeys.test"));
});
afterEach(() => void vi.useRealTimers());

async function ownerOf(account: string): Promise<{ token: string; key: Authenticator }> {
  const begun = await register(here, account);
  const key = new Authenticator(here.running.address!);
  const options = (await here.ask("factor.passkeyStart", {}, { token: begun })).data;
  const added = await here.ask("factor.passkeyAdd", { name: "Key", response: key.makes(options) }, { token: begun });
  expect(added.code).toBe(200);
  return { token: added.headers.get("new-token") ?? begun, key };
}

const asked = async () => (await here.ask("factor.passkeyOptions", {})).data;
const signsIn = (response: unknown) => here.ask("factor.passkeySignIn", { response });
const nameOf = ({ code }: Answer<unknown>): string =>
  code === 200 ? "let in" : (Object.entries(refusals).find(([, row]) => row.code === code)?.[0] ?? String(code));
const base64 = (value: string | Buffer): string => Buffer.from(value).toString("base64url");
/** My passkey, as it answers while `change` holds. */
async function shownWith(change: Partial<Authenticator>, options?: Record<string, unknown>): Promise<Response> {
  const before = { origin: mine.origin, place: mine.place, isTouched: mine.isTouched, knowsOwner: mine.knowsOwner };
  Object.assign(mine, change);
  const shown = mine.shows(options ?? (await asked()));
  Object.assign(mine, before);
  return shown;
}
const changed = (shown: Response, part: Record<string, unknown>): Response => ({
  ...shown,
  response: { ...shown.response, ...part },
});
const clientData = (shown: Response, part: Record<string, unknown>): Response => {
  const said = JSON.parse(Buffer.from(String(shown.response["clientDataJSON"]), "base64url").toString()) as object;
  return changed(shown, { clientDataJSON: base64(JSON.stringify({ ...said, ...part })) });
};

describe("T-28: a forged passkey", () => {
  const forgeries: Record<string, () => Promise<unknown>> = {
    "of another origin": () => shownWith({ origin: "https://evil.example" }),
    "of another origin at the same host": () => shownWith({ origin: `${here.running.address!}0` }),
    "for another place": () => shownWith({ place: "evil.example" }),
    "that nobody touched": () => shownWith({ isTouched: false }),
    "that does not know its owner": () => shownWith({ knowsOwner: false }),
    "whose counter went back": async () => {
      mine.counter = 5000;
      expect(nameOf(await signsIn(await shownWith({})))).toBe("let in");
      mine.counter = 4000;
      return shownWith({});
    },
    "signed by another key": async () => ({
      ...theirs.shows(await asked()),
      id: base64(mine.id),
      rawId: base64(mine.id),
    }),
    "whose signature is another's": async () => {
      const options = await asked();
      return changed(mine.shows(options), { signature: theirs.shows(options).response["signature"] });
    },
    "with a challenge of its own": () => shownWith({}, { challenge: base64(Buffer.alloc(56, 7)) }),
    "with the challenge of another session's proof": async () =>
      shownWith({}, (await here.ask("factor.proofOptions", {}, { token })).data),
    "with a challenge for making one": async () =>
      shownWith({}, (await here.ask("factor.passkeyStart", {}, { token })).data),
    "whose words were changed after it signed": async () => clientData(await shownWith({}), { crossOrigin: true }),
    "made for another purpose": async () => clientData(await shownWith({}), { type: "webauthn.create" }),
    "with words that are no JSON": async () => changed(await shownWith({}), { clientDataJSON: base64("{") }),
    "with words of a megabyte": async () => clientData(await shownWith({}), { padding: "x".repeat(1_000_000) }),
    "without a signature": async () => changed(await shownWith({}), { signature: "" }),
    "with authenticator data that is cut off": async () =>
      changed(await shownWith({}), { authenticatorData: base64(Buffer.alloc(20)) }),
    "with authenticator data of the wrong kind": async () =>
      changed(await shownWith({}), { authenticatorData: { a: 1 } }),
    "with an identifier of nobody": async () => ({ ...(await shownWith({})), id: base64(Buffer.alloc(32, 1)) }),
    "with an identifier that no database holds": async () => ({ ...(await shownWith({})), id: "\u0000" }),
    "with two identifiers": async () => ({ ...(await shownWith({})), rawId: base64(theirs.id) }),
    "without an answer": async () => ({ ...(await shownWith({})), response: {} }),
  };
  it.each(Object.keys(forgeries))("%s lets nobody in, and is refused by name", async (name) => {
    const answer = await signsIn(await forgeries[name]!());
    // Ensures that the forgery itself is the only reason for the rejection.
    mine.counter = Math.max(mine.counter, 5000) + 1;
    expect(["passkeyWrong", "badInput"]).toContain(nameOf(answer));
  });

  it("is let in once by what its owner shows, and by the same answer no second time", async () => {
    mine.counter = 10_000;
    const shown = await shownWith({});
    const answers = await Promise.all([signsIn(shown), signsIn(shown), signsIn(shown)]);
    expect(answers.map(nameOf).toSorted()).toEqual(["let in", "passkeyWrong", "passkeyWrong"]);
  });

  it("that comes when its challenge has expired is refused", async () => {
    mine.counter = 20_000;
    const shown = await shownWith({});
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + (factorRules.challengeSeconds + 1) * 1000 });
    expect(nameOf(await signsIn(shown))).toBe("passkeyWrong");
  });
});

describe("T-28: a passkey that is made by a forger", () => {
  const head = (major: number, bytes: number[]) =>
    Buffer.from([(major << 5) | (bytes.length === 4 ? 26 : 25), ...bytes]);
  const forgeries: Record<string, (made: ReturnType<Authenticator["makes"]>) => unknown> = {
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
    key: Authenticator,
    change: (made: ReturnType<Authenticator["makes"]>) => unknown = ({ response }) => response,
  ) => {
    const options = (await here.ask("factor.passkeyStart", {}, { token })).data;
    const made = key.makes(options);
    return here.ask("factor.passkeyAdd", { name: "Forged", response: { ...made, response: change(made) } }, { token });
  };
  const kept = async () => (await here.ask("factor.list", {}, { token })).data.passkeys.length;

  it.each(Object.keys(forgeries))("%s is not kept, and is refused by name", async (name) => {
    const before = await kept();
    const answer = await adds(new Authenticator(here.running.address!), forgeries[name]);
    expect(["passkeyWrong", "badInput"]).toContain(nameOf(answer));
    expect(await kept()).toBe(before);
  });

  it.each([0, 5, -65535, -37])("under algorithm %i, that nobody here asked for, is refused", async (algorithm) => {
    const key = new Authenticator(here.running.address!);
    key.algorithm = algorithm;
    expect(nameOf(await adds(key))).toBe("passkeyWrong");
  });

  it.each([
    ["that are none", [{ a: 1 }, "carrier pigeon", null]],
    ["without end", Array<string>(100_000).fill("usb")],
    ["that are a word", "usb"],
  ])("with transports %s keeps of them what the standard names", async (_, transports) => {
    const key = new Authenticator(here.running.address!);
    const answer = await adds(key, ({ response }) => ({ ...response, transports }));
    expect(nameOf(answer)).toBe("let in");
    token = answer.headers.get("new-token") ?? token;
    const row = await here.running.database.asSystem((db) =>
      db.selectFrom("passkey").select("transports").where("id", "=", base64(key.id)).executeTakeFirstOrThrow(),
    );
    expect(row.transports.length).toBeLessThan(2);
  });

  it("under the identifier of somebody else's is refused, and theirs still opens their account alone", async () => {
    const thief = new Authenticator(here.running.address!);
    Object.assign(thief, { id: theirs.id });
    expect(nameOf(await adds(thief))).toBe("passkeyWrong");
    expect(nameOf(await signsIn(thief.shows(await asked())))).toBe("passkeyWrong");
    theirs.counter = 1000;
    const entered = await signsIn(theirs.shows(await asked()));
    const me = await here.ask("account.getUserInfo", {}, { token: entered.data.token });
    expect(me.data.email).toBe("theirs@passkeys.test");
  });

  it("for another origin, place or without an owner is not kept", async () => {
    for (const change of [
      { origin: "https://evil.example" },
      { place: "evil.example" },
      { knowsOwner: false },
      { isTouched: false },
    ])
      expect(nameOf(await adds(Object.assign(new Authenticator(here.running.address!), change)))).toBe("passkeyWrong");
  });
});
