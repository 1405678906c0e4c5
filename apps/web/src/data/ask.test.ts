import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sessionCalls } from "@arcada/contract/account/session.calls";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { ask } from "./ask.ts";
import { fakeBrowser } from "../browser/fake-browser.ts";
import { NoResponseError, RefusalError } from "./call-errors.ts";
import { addPrefetch } from "./prefetched-responses.ts";
import { signInAgainRefusal } from "./show-error.ts";
import { toasts } from "../browser/toast.ts";
import { storeToken } from "../browser/session-token.ts";

const success = (data: unknown, headers = {}) => ({ body: { code: 200, msg: "", data }, headers });
const refusal = (name: RefusalName, msg = `no: ${name}`, data: unknown = null) => ({
  status: refusals[name].status,
  body: { code: refusals[name].code, msg, data },
  headers: { "request-id": "req-1" },
});
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    (data) => ({ data }),
    (error: unknown) => ({ error }),
  );
const shown = () => toasts.get().map(({ text, requestId }) => [text, requestId]);

beforeEach(() => {
  toasts.set([]);
  signInAgainRefusal.set(null);
});
afterEach(() => vi.unstubAllGlobals());

describe("a call to the server", () => {
  it("sends the token twice, the local time, the platform and the language", async () => {
    const { sent } = fakeBrowser([success({ all: 0, myTurn: 0, states: {} })]);
    storeToken("secret", false);
    await ask(orderCalls.counts, {});
    expect(sent[0]?.headers).toMatchObject({
      token: "secret",
      "session-id": "secret",
      "app-platform": "cbct",
      "accept-language": "zh",
    });
    expect(sent[0]?.headers["local-time"]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });

  it.each([
    ["takes the response that its session requested before", "secret", { all: 7 }, 0],
    ["requests again what another session requested before", "of another", { all: 0 }, 1],
  ])("%s", async (_, requestedBy, answer, requests) => {
    const counts = { all: 0, myTurn: 0, states: {} };
    const { sent } = fakeBrowser([success(counts)]);
    storeToken("secret", false);
    const early = Response.json(success({ ...counts, all: 7 }).body);
    addPrefetch(orderCalls.counts.path, Promise.resolve(early), requestedBy);
    expect(await ask(orderCalls.counts, {})).toMatchObject(answer);
    expect(sent).toHaveLength(requests);
  });

  it("puts the input of a GET into the query string and omits undefined values", async () => {
    const { sent } = fakeBrowser([success(null)]);
    await ask(orderCalls.list, { page: 2, search: "王 & 李", state: undefined });
    expect(sent[0]).toMatchObject({
      method: "GET",
      path: "/v1/order/list?page=2&search=%E7%8E%8B+%26+%E6%9D%8E",
      body: undefined,
    });
  });

  it("does not take a page that was left while the body arrived for a server without a response", async () => {
    fakeBrowser();
    const left = new AbortController();
    vi.stubGlobal("fetch", async () => ({
      headers: new Headers(),
      json: async () => Promise.reject(left.signal.reason),
    }));
    const asking = outcome(ask(orderCalls.list, { page: 1 }, { signal: left.signal }));
    left.abort();
    expect(await asking).toMatchObject({ error: { name: "AbortError" } });
    expect(shown()).toEqual([]);
  });

  it("replaces the stored token by the one in a response", async () => {
    const { cookies } = fakeBrowser([success(null, { "new-token": "fresh" })]);
    storeToken("old", false);
    await ask(sessionCalls.sessions, {});
    expect(cookies.get("Admin-Token")).toBe("fresh");
  });

  it("does not restore a session that ended while the response was in transit", async () => {
    const { cookies } = fakeBrowser([success(null, { "new-token": "fresh" })]);
    storeToken("old", false);
    const asking = ask(sessionCalls.sessions, {});
    cookies.delete("Admin-Token");
    await asking;
    expect(cookies.has("Admin-Token")).toBe(false);
  });

  it("returns bodies with code 0 or their own type unchanged", async () => {
    fakeBrowser([{ body: { code: 0, msg: "as is", data: 1 } }, { body: { type: "report", size: 3 } }]);
    expect(await ask(sessionCalls.sessions, {})).toEqual({ code: 0, msg: "as is", data: 1 });
    expect(await ask(sessionCalls.sessions, {})).toEqual({ type: "report", size: 3 });
  });
});

describe("a response with code 301", () => {
  it("redirects to an address of this origin, with the exchange code but never the token", async () => {
    const { went } = fakeBrowser([{ body: { code: 301, msg: "", data: { url: "/patientList", code: "once" } } }]);
    storeToken("secret", false);
    void ask(sessionCalls.sessions, {});
    await vi.waitFor(() => expect(went).toEqual(["https://arcada.example/patientList?token=once"]));
  });

  it.each(["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"])(
    "never redirects to %s",
    async (url) => {
      const { went } = fakeBrowser([{ body: { code: 301, msg: "", data: url } }]);
      expect(await outcome(ask(sessionCalls.sessions, {}))).toHaveProperty("error");
      expect(went).toEqual([]);
    },
  );
});

describe("a refusal", () => {
  it("is shown as a toast with its message and the request id, and rejects", async () => {
    fakeBrowser([refusal("tooManyRequests", "请稍候")]);
    expect(await outcome(ask(sessionCalls.sessions, {}))).toMatchObject({
      error: { name: "tooManyRequests", status: 429 },
    });
    expect(shown()).toEqual([["请稍候", "req-1"]]);
  });

  it.each(["accountUnknown", "humanNeeded"] as const)("%s shows no toast and still rejects", async (name) => {
    fakeBrowser([refusal(name)]);
    expect(await outcome(ask(signInCalls.login, { account: "a@b.cn", password: "x" }))).toMatchObject({
      error: { name },
    });
    expect(shown()).toEqual([]);
  });

  it("of a form's fields shows a toast only if no form shows it itself", async () => {
    fakeBrowser([refusal("wrongPassword"), refusal("wrongPassword")]);
    await outcome(ask(signInCalls.login, { account: "a@b.cn", password: "x" }, { shownBy: "form" }));
    expect(shown()).toEqual([]);
    await outcome(ask(signInCalls.login, { account: "a@b.cn", password: "x" }));
    expect(shown()).toHaveLength(1);
  });

  it.each(["unknownSession", "signedOutElsewhere", "sessionExpired"] as const)(
    "%s asks once to sign in again, however many calls it rejects",
    async (name) => {
      const { cookies, went } = fakeBrowser([refusal(name), refusal(name)]);
      storeToken("old", false);
      await Promise.all([outcome(ask(sessionCalls.sessions, {})), outcome(ask(orderCalls.counts, {}))]);
      expect(signInAgainRefusal.get()).toBeInstanceOf(RefusalError);
      expect(shown()).toHaveLength(1);
      // The page keeps what was typed: the user decides when to leave it.
      expect(went).toEqual([]);
      expect(cookies.get("Admin-Token")).toBe("old");
    },
  );

  it("with an unknown code is shown as a toast", async () => {
    fakeBrowser([{ status: 418, body: { code: 41801, msg: "teapot", data: null } }]);
    expect(await outcome(ask(sessionCalls.sessions, {}))).toMatchObject({ error: { name: "unknown" } });
    expect(shown()).toEqual([["teapot", null]]);
  });
});

describe("a missing response", () => {
  it.each([
    ["the network is away", [new TypeError("failed to fetch")]],
    ["a gateway answers with a page of its own", [{ status: 502, body: "<html>Bad gateway</html>" }]],
  ] as const)("is reported once when %s", async (_, answers) => {
    fakeBrowser([...answers]);
    expect(await outcome(ask(sessionCalls.sessions, {}))).toMatchObject({ error: expect.any(NoResponseError) });
    expect(shown()).toHaveLength(1);
  });

  it("fails after the time-out, and the error names the time-out", async () => {
    fakeBrowser(["late"]);
    expect(await outcome(ask(sessionCalls.sessions, {}, { timeout: 20 }))).toMatchObject({
      error: { isTimeout: true },
    });
  });

  it("is not reported if the page itself aborted the call", async () => {
    fakeBrowser(["late"]);
    const leaving = new AbortController();
    const asking = outcome(ask(sessionCalls.sessions, {}, { signal: leaving.signal }));
    leaving.abort();
    expect(await asking).toHaveProperty("error");
    expect(shown()).toEqual([]);
  });
});
