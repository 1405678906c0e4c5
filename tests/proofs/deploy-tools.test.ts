import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const deploy = path.join(import.meta.dirname, "../../deploy");
const folder = mkdtempSync(path.join(tmpdir(), "arcada-deploy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Defines a test that a program of the machine decides, and reports it when the program is not there. */
function itWith(program: string, probe: string[], behaviour: string, prove: () => void): void {
  const isMissing = spawnSync(program, probe, { stdio: "ignore" }).status !== 0;
  if (isMissing) console.info(`Skipped, because ${program} is not installed: ${behaviour}`);
  // oxlint-disable-next-line vitest/valid-title -- each caller names its behaviour
  it.skipIf(isMissing)(behaviour, prove);
}
const run = (program: string, words: string[]) => {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8" });
  return { status, output: stdout, errors: stderr };
};

describe("the files of deploy/", () => {
  for (const unit of ["arcada.service", "arcada@web.service"])
    itWith("systemd-analyze", ["--version"], `systemd understands the unit ${unit}`, () => {
      const copy = path.join(folder, unit);
      cpSync(path.join(deploy, "systemd", unit.replace("@web", "@")), copy);
      const complaints = run("systemd-analyze", ["verify", copy]).errors.split("\n");
      // The program that the unit starts is not on the machine that tests it.
      expect(
        complaints.filter((line) => line !== "" && !line.includes("/opt/arcada/bin/node is not executable")),
      ).toEqual([]);
    });

  for (const [overlay, kinds] of [
    ["single", ["ConfigMap", "Ingress", "Service", "StatefulSet"]],
    ["scaled", ["ConfigMap", "Deployment", "Ingress", "PersistentVolumeClaim", "PodDisruptionBudget", "Service"]],
  ] as const)
    itWith("kubectl", ["version", "--client"], `kustomize builds the overlay ${overlay}`, () => {
      const { status, output } = run("kubectl", ["kustomize", path.join(deploy, "kubernetes", overlay)]);
      expect(status).toBe(0);
      expect([...new Set([...output.matchAll(/^kind: (\w+)/gm)].map(([, kind]) => kind))].toSorted()).toEqual(kinds);
      expect(output).not.toContain("image: arcada\n");
    });

  itWith("caddy", ["version"], "Caddy accepts its example", () => {
    const words = ["validate", "--adapter", "caddyfile", "--config", path.join(deploy, "proxy/Caddyfile")];
    expect(run("caddy", words).status).toBe(0);
  });
});
