import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { anchorFileName } from "../../apps/server/src/platform/audit/audit-anchors.ts";
import { isProgramInstalled } from "@arcada/testing/peers/gateway-process";
import { Prometheus } from "@arcada/testing/peers/prometheus";
import { startMonitoredRoles } from "./support/monitored-server-roles.ts";
import type { MonitoredRoles } from "./support/monitored-server-roles.ts";

const folder = path.join(import.meta.dirname, "../../deploy/monitoring");
const rules = readFileSync(path.join(folder, "alerts.yml"), "utf8");
const dashboard = readFileSync(path.join(folder, "grafana-dashboard.json"), "utf8");
const hasPrometheus = isProgramInstalled("prometheus") && isProgramInstalled("promtool");

describe.skipIf(!hasPrometheus)("Prometheus with our rules", () => {
  let roles: MonitoredRoles;
  let prometheus: Prometheus;
  beforeAll(async () => {
    roles = await startMonitoredRoles();
    const targets = {
      arcada: [roles.hosts.web, roles.hosts.worker, roles.hosts.dicom],
      "arcada-gateway": [roles.hosts.gateway],
    };
    // The waiting time of the rules is proven by promtool; here it would last minutes.
    prometheus = await Prometheus.start(targets, rules.replaceAll(/for: \w+/g, "for: 0s"));
  }, 180_000);
  afterAll(async () => {
    await prometheus?.stop();
    await roles?.stop();
  });

  it("the rules fire and stay silent as their tests demand", () => {
    for (const args of [
      ["check", "rules", "alerts.yml"],
      ["check", "config", "prometheus.yml"],
      ["test", "rules", "alerts.test.yml"],
    ])
      expect(execFileSync("promtool", args, { cwd: folder, encoding: "utf8" })).toContain("SUCCESS");
  });

  it("reads all four processes", async () => {
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
    const anchors = path.join(roles.web.folder, anchorFileName);
    rmSync(anchors, { force: true });
    mkdirSync(anchors);
    // An entry of the log that has to be sealed.
    await roles.web.register("sealed@monitoring.test", "clinicManager");
    const owner = new pg.Client(roles.databaseUrl);
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
