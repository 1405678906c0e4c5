import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { JobServices } from "../../apps/server/src/platform/runtime/slice.ts";
import { readConfig } from "../../apps/server/src/platform/runtime/config.ts";
import { createKeyTask, listGauges, listRepeatedTasks } from "../../apps/server/src/slices.ts";

const root = path.join(import.meta.dirname, "../..");
const page = readFileSync(path.join(root, "docs/operator/monitoring.md"), "utf8");
const rules = readFileSync(path.join(root, "deploy/monitoring/alerts.yml"), "utf8");
// Lists of tasks and gauges only keep the services: nothing runs here.
const services = {
  config: readConfig({ DATA_DIR: "/nowhere", BACKUP_DIR: "/nowhere" }),
  database: {},
  chain: {},
} as unknown as JobServices;

it("the page lists every repeated task with its interval and its tolerated age", () => {
  const tasks = [...listRepeatedTasks(services), createKeyTask(services.database)];
  const rows = tasks.map(
    ({ name, everyMs, toleratedMs }) => `| \`${name}\` | ${formatTime(everyMs)} | ${formatTime(toleratedMs)} |`,
  );
  const listed = page.split("\n").filter((line) => /^\| `[a-z][a-z0-9]*\.\w+` \|/.test(line));
  expect(listed.toSorted()).toEqual(rows.toSorted());
});

it("the page explains every figure of the server", () => {
  const counted = readFileSync(
    path.join(root, "apps/server/src/platform/telemetry/counters-and-histograms.ts"),
    "utf8",
  ).matchAll(/name: "(arcada_\w+)"/g);
  const names = [
    ...listGauges(services).flatMap(({ metrics }) => Object.keys(metrics)),
    ...[...counted].map(([, name = ""]) => name),
  ];
  expect(names.length).toBeGreaterThan(25);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it("a rule alerts about every figure that tells how long work has waited", () => {
  const ages = listGauges(services)
    .flatMap(({ metrics }) => Object.keys(metrics))
    .filter((name) => name.endsWith("_oldest_seconds"));
  expect(ages).toContain("arcada_import_oldest_seconds");
  expect(ages.filter((name) => !rules.includes(name))).toEqual([]);
});

function formatTime(ms: number): string {
  const units = [
    [86_400_000, "d"],
    [3_600_000, "h"],
    [60_000, "min"],
    [1000, "s"],
  ] as const;
  const [size, unit] = units.find(([one]) => ms % one === 0) ?? units[3];
  return `${ms / size} ${unit}`;
}
