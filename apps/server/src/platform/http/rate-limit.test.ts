import Fastify from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { getTestServer } from "@arcada/testing/setup/test-server";
import { refusals } from "@arcada/contract/kernel/refusals";
import { registerErrorHandler } from "./error-handler.ts";
import { createRateLimiter, limitRequests } from "./rate-limit.ts";

const limits = { perSecond: 10, burstSeconds: 2, maxAddresses: 100 };
const burst = limits.perSecond * limits.burstSeconds;

describe("the limiter", () => {
  it("admits a burst, then the average, and tells the time to wait", () => {
    const admit = createRateLimiter(limits);
    const now = 1000;
    for (let nth = 0; nth < burst; nth++) expect(admit("a", now)).toBe(0);
    expect(admit("a", now)).toBeCloseTo(100);
    expect(admit("a", now + 100)).toBe(0);
    expect(admit("a", now + 100)).toBeCloseTo(100);
    expect(admit("a", now + 5000)).toBe(0);
  });

  it("counts every address for itself", () => {
    const admit = createRateLimiter(limits);
    for (let nth = 0; nth <= burst; nth++) admit("a", 0);
    expect([admit("a", 0) > 0, admit("b", 0)]).toEqual([true, 0]);
  });

  it("does not lengthen the wait of an address that goes on", () => {
    const admit = createRateLimiter(limits);
    for (let nth = 0; nth < burst + 1000; nth++) admit("a", 0);
    expect(admit("a", 100)).toBe(0);
  });

  it("remembers an address that is over its limit while thousands of others come", () => {
    const admit = createRateLimiter({ ...limits, maxAddresses: 100 });
    for (let nth = 0; nth <= burst; nth++) admit("busy", 0);
    // The quotas of the others are full again when room is made.
    for (let other = 0; other < 99; other++) admit(`other ${other}`, 0);
    for (let other = 0; other < 5000; other++) admit(`later ${other}`, 1500);
    const average = 1500 / 100;
    for (let nth = 0; nth < average; nth++) admit("busy", 1500);
    expect(admit("busy", 1500)).toBeGreaterThan(0);
  });
});

describe("the outer wall", () => {
  async function createApp({ trustProxy = false } = {}) {
    const app = Fastify({ trustProxy: trustProxy ? (_, hop) => hop === 0 : false });
    registerErrorHandler(app);
    limitRequests(app, limits);
    app.get("/page", async () => "page");
    app.get("/livez", async () => "alive");
    onTestFinished(() => app.close());
    return async (remoteAddress: string, headers: Record<string, string> = {}, url = "/page") => {
      const { statusCode } = await app.inject({ url, remoteAddress, headers });
      return statusCode;
    };
  }
  const exhaust = async (ask: () => Promise<number>) => {
    for (let nth = 0; nth < burst; nth++) expect(await ask()).not.toBe(429);
  };

  it("limits an IPv4 address, and an IPv6 subscriber as a whole", async () => {
    const ask = await createApp();
    await exhaust(() => ask("198.51.100.7"));
    expect([await ask("198.51.100.7"), await ask("198.51.100.8")]).toEqual([429, 200]);
    await exhaust(() => ask("2001:db8:1:2::7"));
    expect([await ask("2001:db8:1:2:ffff::1"), await ask("2001:db8:1:3::7")]).toEqual([429, 200]);
  });

  it("counts unknown addresses of the server as well", async () => {
    const ask = await createApp();
    await exhaust(() => ask("198.51.100.7", {}, "/nowhere"));
    expect(await ask("198.51.100.7")).toBe(429);
  });

  it("limits neither this machine nor monitoring", async () => {
    const ask = await createApp();
    for (let nth = 0; nth < burst * 2; nth++) expect(await ask("127.0.0.1")).toBe(200);
    await exhaust(() => ask("198.51.100.7"));
    expect(await ask("198.51.100.7", {}, "/livez")).toBe(200);
  });

  it("believes no header of a caller unless a proxy is announced", async () => {
    const ask = await createApp();
    let other = 0;
    const forge = () => ask("198.51.100.7", { "x-forwarded-for": `203.0.113.${(other += 1)}` });
    await exhaust(forge);
    expect(await forge()).toBe(429);
  });

  it("counts the address that an announced proxy names, and nothing that the caller put before it", async () => {
    const ask = await createApp({ trustProxy: true });
    let other = 0;
    const forge = () => ask("10.0.0.1", { "x-forwarded-for": `203.0.113.${(other += 1)}, 198.51.100.7` });
    await exhaust(forge);
    expect(await forge()).toBe(429);
    expect(await ask("10.0.0.1", { "x-forwarded-for": "198.51.100.8" })).toBe(200);
  });
});

it("a limited caller of the server gets a refusal with the time to wait", async () => {
  const { running } = await getTestServer({ TRUST_PROXY: "1", PUBLIC_URL: "https://arcada.test", RATE_LIMIT: "1" });
  const ask = () => fetch(`${running.address}/openapi.json`, { headers: { "x-forwarded-for": "198.51.100.7" } });
  const began = Date.now();
  let served = 0;
  let refused = await ask();
  for (; refused.status === 200; refused = await ask()) served += 1;
  // Each second gives one request back.
  expect(served).toBeGreaterThanOrEqual(20);
  expect(served).toBeLessThanOrEqual(21 + (Date.now() - began) / 1000);
  expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, 1]);
  expect(await refused.json()).toMatchObject({ code: refusals.tooManyRequests.code });
  expect(refused.headers.get("strict-transport-security")).toMatch(/^max-age=\d{8,}/);
});
