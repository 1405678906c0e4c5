import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { monitoredRoles, startMonitoredRoles } from "./support/monitored-server-roles.ts";
import type { MonitoredRoles } from "./support/monitored-server-roles.ts";

const folder = path.join(import.meta.dirname, "../../deploy/monitoring");

let roles: MonitoredRoles;
beforeAll(async () => {
  roles = await startMonitoredRoles();
}, 120_000);
afterAll(() => roles?.stop());

const read = (host: string, page: string) => fetch(`http://${host}${page}`);
const namesIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/\b(?:arcada|process|nodejs)_[a-z_]+/g)].map(([name]) => name))].map((name) =>
    name.replace(/_(bucket|count|sum)$/, ""),
  );

describe("each role, and the gateway,", () => {
  it.each([...monitoredRoles, "gateway"] as const)("%s answers on a port of its own", async (role) => {
    expect((await read(roles.hosts[role], "/livez")).status).toBe(200);
    expect(await (await read(roles.hosts[role], "/readyz")).json()).toMatchObject({ status: "ready" });
    expect(await (await read(roles.hosts[role], "/metrics")).text()).toContain("process_cpu_seconds_total");
  });
});

it("every metric of the alert rules and of the dashboard exists", async () => {
  const answers = await Promise.all(
    Object.values(roles.hosts).map(async (host) => (await read(host, "/metrics")).text()),
  );
  const known = new Set(answers.flatMap((text) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)));
  const wanted = [
    ...new Set(
      ["alerts.yml", "grafana-dashboard.json"].flatMap((file) =>
        namesIn(readFileSync(path.join(folder, file), "utf8")),
      ),
    ),
  ];
  expect(wanted.length).toBeGreaterThan(35);
  // This one needs a replica.
  expect(wanted.filter((name) => !known.has(name))).toEqual(["arcada_database_replica_delay_seconds"]);
});
