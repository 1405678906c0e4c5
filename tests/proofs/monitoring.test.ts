import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { anchorFileName } from "../../apps/server/src/platform/audit/audit-anchors.ts";
import { GatewayProcess, isProgramInstalled } from "@arcada/testing/peers/gateway";
import { Prometheus } from "@arcada/testing/peers/prometheus";
import { createDatabaseUrl } from "@arcada/testing/setup/database-url";
import { freePort, Product } from "@arcada/testing/setup/product";

const folder = path.join(import.meta.dirname, "../../deploy/monitoring");
const rules = readFileSync(path.join(folder, "alerts.yml"), "utf8");
const dashboard = readFileSync(path.join(folder, "grafana-dashboard.json"), "utf8");
const hasPrometheus = isProgramInstalled("prometheus") && isProgramInstalled("promtool");

const backups = mkdtempSync(path.join(tmpdir(), "arcada-no-backups-"));
const products: Record<"web" | "worker" | "dicom", Product> = {} as never;
const hosts: Record<"web" | "worker" | "dicom" | "gateway", string> = {} as never;
let databaseUrl = "";
let gateway: GatewayProcess;
beforeAll(async () => {
  databaseUrl = await createDatabaseUrl();
  const shared = { DATABASE_URL: databaseUrl, SECRET_KEY: "a-key-that-all-processes-share-0123", BACKUP_DIR: backups };
  for (const role of ["web", "worker", "dicom"] as const) {
    const port = await freePort();
    hosts[role] = `127.0.0.1:${port}`;
    products[role] = new Product({
      ...shared,
      ARCADA_ROLE: role,
      HEALTH_PORT: String(port),
      ...(role === "dicom" && { DICOM_PORT: String(await freePort()) }),
      ...(products.web && { DATA_DIR: products.web.folder }),
    });
    await products[role].start();
  }
  const port = await freePort();
  hosts.gateway = `127.0.0.1:${port}`;
  gateway = new GatewayProcess({
    GATEWAY_CLOUD: products.web.address,
    GATEWAY_KEY: "arcada_device_0123456789abcdef",
    GATEWAY_CALLING_AES: "CT1=CT",
    GATEWAY_HEALTH_PORT: String(port),
  });
  await gateway.start();
}, 120_000);
afterAll(async () => {
  await gateway?.remove();
  for (const role of ["dicom", "worker"] as const) await products[role]?.stop();
  await products.web?.remove();
  rmSync(backups, { recursive: true, force: true });
});

const read = async (host: string, page: string) => fetch(`http://${host}${page}`);
const namesIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/\b(?:arcada|process|nodejs)_[a-z_]+/g)].map(([name]) => name))].map((name) =>
    name.replace(/_(bucket|count|sum)$/, ""),
  );

describe("each role, and the gateway,", () => {
  it.each(["web", "worker", "dicom", "gateway"] as const)("%s answers on a port of its own", async (role) => {
    expect((await read(hosts[role], "/livez")).status).toBe(200);
    expect(await (await read(hosts[role], "/readyz")).json()).toMatchObject({ status: "ready" });
    expect(await (await read(hosts[role], "/metrics")).text()).toContain("process_cpu_seconds_total");
  });
});

it("every metric of the alert rules and of the dashboard exists", async () => {
  const answers = await Promise.all(Object.values(hosts).map(async (host) => (await read(host, "/metrics")).text()));
  const known = new Set(answers.flatMap((text) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)));
  const wanted = [...new Set([...namesIn(rules), ...namesIn(dashboard)])];
  expect(wanted.length).toBeGreaterThan(35);
  expect(wanted.filter((name) => !known.has(name))).toEqual([]);
});

describe.skipIf(!hasPrometheus)("with Prometheus", () => {
  let prometheus: Prometheus;
  beforeAll(async () => {
    const targets = {
      arcada: [hosts.web, hosts.worker, hosts.dicom],
      "arcada-gateway": [hosts.gateway],
    };
    // The waiting time of the rules is proven by promtool; here it would last minutes.
    prometheus = await Prometheus.start(targets, rules.replaceAll(/for: \w+/g, "for: 0s"));
  }, 60_000);
  afterAll(() => prometheus?.stop());

  it("the rules fire and stay silent as their tests demand", () => {
    for (const args of [
      ["check", "rules", "alerts.yml"],
      ["check", "config", "prometheus.yml"],
      ["test", "rules", "alerts.test.yml"],
    ])
      expect(execFileSync("promtool", args, { cwd: folder, encoding: "utf8" })).toContain("SUCCESS");
  });

  it("Prometheus reads all four processes", async () => {
    await vi.waitFor(
      async () => expect((await prometheus.query("up == 1")).map(({ metric }) => metric.instance)).toHaveLength(4),
      { timeout: 15_000, interval: 300 },
    );
  });

  it("every expression of the dashboard is one that Prometheus accepts, and most of them find something", async () => {
    const expressions = [...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
      (JSON.parse(text ?? "") as string).replaceAll("$job", ".*").replaceAll("$__rate_interval", "1m"),
    );
    const results = await Promise.all(expressions.map((one) => prometheus.query(one)));
    expect(results.length).toBeGreaterThan(40);
    expect(results.filter((found) => found.length > 0).length).toBeGreaterThan(20);
  });

  it("a sealer that cannot seal grows old and raises an alert", async () => {
    const isLate = async () =>
      (await prometheus.alerts()).some(
        ({ labels, state }) =>
          labels.alertname === "ArcadaTaskLate" && labels.task === "audit.seal" && state === "firing",
      );
    await vi.waitFor(
      async () =>
        expect(await prometheus.query('arcada_task_last_success_seconds{task="audit.seal"}')).not.toHaveLength(0),
      { timeout: 15_000, interval: 300 },
    );
    expect(await isLate()).toBe(false);
    const anchors = path.join(products.web.folder, anchorFileName);
    rmSync(anchors, { force: true });
    mkdirSync(anchors);
    // An entry of the log that has to be sealed.
    await products.web.register("sealed@monitoring.test", "clinicManager");
    const owner = new pg.Client(databaseUrl);
    await owner.connect();
    await owner.query("set role arcada_system");
    await vi.waitFor(
      async () => {
        const { rows } = await owner.query<{ failures: number; error: string }>(
          "select failures, error from repeated_task where name = 'audit.seal'",
        );
        expect(rows[0]).toMatchObject({ error: expect.stringContaining("EISDIR") as string });
        expect(rows[0]?.failures).toBeGreaterThan(1);
      },
      { timeout: 15_000, interval: 300 },
    );
    const age = async () =>
      Number(
        (await prometheus.query('time() - max(arcada_task_last_success_seconds{task="audit.seal"})'))[0]?.value[1],
      );
    const before = await age();
    await vi.waitFor(async () => expect(await age()).toBeGreaterThan(before + 3), { timeout: 20_000, interval: 500 });
    // Instead of waiting for two minutes. A sealer that works would correct it within seconds.
    await owner.query(
      "update repeated_task set succeeded_at = now() - interval '10 minutes' where name = 'audit.seal'",
    );
    await owner.end();
    await vi.waitFor(async () => expect(await isLate()).toBe(true), { timeout: 20_000, interval: 500 });
    const [waiting] = await prometheus.query("max(arcada_audit_unsealed_rows)");
    expect(Number(waiting?.value[1])).toBeGreaterThan(0);
  });
});
