import { beforeAll, describe, expect, it, vi } from "vitest";
import { getTestServer } from "@arcada/testing/setup/test-server";
import type { TestServer } from "@arcada/testing/setup/test-server";
import { createGaugeReader } from "./gauges.ts";
import type { Gauge } from "./gauges.ts";

let server: TestServer;
beforeAll(async () => {
  server = await getTestServer({ HEALTH_PORT: "0" });
});
const healthAddress = () => server.running.healthAddress ?? "";
const metrics = async (address = healthAddress()) => (await fetch(`${address}/metrics`)).text();
const valueOf = (text: string, series: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.split(" ")
      .at(-1),
  );

describe("the port of HEALTH_PORT", () => {
  it("answers liveness, readiness and metrics, and nothing else", async () => {
    const statusOf = async (path: string) => (await fetch(`${healthAddress()}${path}`)).status;
    expect(await statusOf("/livez")).toBe(200);
    expect(await (await fetch(`${healthAddress()}/readyz`)).json()).toEqual({
      status: "ready",
      checks: { database: "ok", storage: "ok", disk: "ok" },
    });
    expect(await statusOf("/")).toBe(404);
    expect(await statusOf("/v1/base/welcome")).toBe(404);
  });

  it("refuses metrics to requests that a proxy forwarded", async () => {
    const response = await fetch(`${healthAddress()}/metrics`, { headers: { "x-forwarded-for": "203.0.113.7" } });
    expect(response.status).toBe(403);
  });

  it("answers the same metrics as the port of the application", async () => {
    const names = (text: string) => [...text.matchAll(/^# TYPE (arcada_\S+)/gm)].map(([, name]) => name).toSorted();
    expect(names(await metrics())).toEqual(names(await metrics(server.address)));
  });
});

describe("a metric", () => {
  it("counts refused attempts to sign in by their reason", async () => {
    const series = 'arcada_sign_in_failures_total{refusal="accountUnknown"}';
    const before = valueOf(await metrics(), series) || 0;
    const attempt = { account: "nobody@metrics.test", countryCode: "+86", password: "wrong-password-1" };
    await server.ask("account.login", attempt, {});
    expect(valueOf(await metrics(), series)).toBe(before + 1);
  });

  it("tells the last success of the audit sealer", async () => {
    await vi.waitFor(
      async () => {
        const at = valueOf(await metrics(), 'arcada_task_last_success_seconds{task="audit.seal"}');
        expect(Math.abs(Date.now() / 1000 - at)).toBeLessThan(15);
      },
      { timeout: 12_000, interval: 500 },
    );
    expect(valueOf(await metrics(), 'arcada_task_tolerated_seconds{task="audit.seal"}')).toBe(120);
  });
});

describe("a figure that cannot be read", () => {
  it("is absent, and the others are answered", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const text = await createGaugeReader([
      { metrics: { a_bad: { help: "-" } }, keepMs: 0, read: () => Promise.reject(new Error("away")) },
      { metrics: { a_good: { help: "-" } }, keepMs: 0, read: async () => ({ a_good: [{ value: 7 }] }) },
    ]).text();
    vi.restoreAllMocks();
    expect(text).not.toContain("a_bad");
    expect(valueOf(text, "a_good")).toBe(7);
    expect(valueOf(text, "arcada_gauge_read_failures")).toBe(1);
  });

  it("is read once for all who ask meanwhile", async () => {
    const read = vi.fn<Gauge["read"]>(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { a_slow: [{ value: 1 }] };
    });
    const reader = createGaugeReader([{ metrics: { a_slow: { help: "-" } }, keepMs: 0, read }]);
    await Promise.all([reader.text(), reader.text()]);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it("is not read again while it is fresh", async () => {
    const read = vi.fn<Gauge["read"]>(async () => ({ a_sum: [{ value: 1 }] }));
    const reader = createGaugeReader([{ metrics: { a_sum: { help: "-" } }, keepMs: 60_000, read }]);
    await reader.text();
    expect(await reader.text()).toContain("a_sum 1");
    expect(read).toHaveBeenCalledTimes(1);
  });
});
