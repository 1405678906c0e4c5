import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { settingNames } from "../../apps/server/src/platform/runtime/config.ts";

const root = path.join(import.meta.dirname, "../..");
const textOf = (file: string): string => readFileSync(path.join(root, file), "utf8");
const deployFiles = globSync("deploy/**/*.{yaml,service,example}", { cwd: root });

interface Workload {
  kind: string;
  apiVersion: string;
  metadata: { name: string };
  spec: { replicas?: number; template: { spec: PodSpec } };
}
interface PodSpec {
  securityContext: object;
  containers: { securityContext: object; readinessProbe?: object; livenessProbe?: object }[];
}
const manifests = globSync("deploy/kubernetes/*/*.yaml", { cwd: root })
  .filter((file) => !file.endsWith("kustomization.yaml"))
  .flatMap((file) =>
    parseAllDocuments(textOf(file)).map((document) => ({ file, manifest: document.toJS() as Workload })),
  );
const workloads = manifests.filter(({ manifest }) => ["Deployment", "StatefulSet"].includes(manifest.kind));

describe("the Kubernetes manifests", () => {
  it.each(manifests.map(({ file, manifest }) => [`${file}: ${manifest.kind} ${manifest.metadata.name}`, manifest]))(
    "satisfy the schema of Kubernetes: %s",
    async (_, manifest) => {
      const { apiVersion, kind } = manifest as Workload;
      const models = (await import(`kubernetes-models/${apiVersion}/${kind}`)) as Record<string, Model>;
      const Checked = models[kind] as Model;
      expect(() => new Checked(manifest as object).validate()).not.toThrow();
    },
  );

  it("run every process without privileges and on a read-only root", () => {
    expect(workloads.length).toBe(4);
    for (const { manifest } of workloads) {
      const { securityContext, containers } = manifest.spec.template.spec;
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 });
      for (const container of containers)
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
    }
  });

  it("have a disruption budget for each role, and two pods of each that must not stop", () => {
    const scaled = workloads.filter(({ file }) => file.includes("/scaled/"));
    const budgets = manifests.filter(({ manifest }) => manifest.kind === "PodDisruptionBudget");
    expect(budgets.map(({ manifest }) => manifest.metadata.name).toSorted()).toEqual(
      scaled.map(({ manifest }) => manifest.metadata.name).toSorted(),
    );
    expect(scaled.every(({ manifest }) => (manifest.spec.replicas ?? 1) >= 2)).toBe(true);
  });

  it("own the embedded database by one pod alone", () => {
    const [single] = workloads.filter(({ file }) => file.includes("/single/"));
    expect(single?.manifest).toMatchObject({ kind: "StatefulSet", spec: { replicas: 1 } });
  });
});
type Model = new (data: object) => { validate: () => void };

describe("the examples of settings", () => {
  it("name settings that exist", () => {
    const ours =
      /^(ARCADA_(?!IMAGE)|DATABASE_(?!PASSWORD)|S3_(?!IMAGE)|SMTP_|MAIL_|DICOM_|PUBLIC_|TRUST_|SECRET_|HEALTH_)/;
    const named = deployFiles.flatMap((file) =>
      [...textOf(file).matchAll(/(?<![\w/])([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)(?=[=:,}])/g)].map(([, name = ""]) => name),
    );
    const settings = [...new Set(named)].filter((name) => ours.test(name));
    expect(settings).toContain("PUBLIC_URL");
    expect(settings.filter((name) => !settingNames.includes(name))).toEqual([]);
  });

  it("start the server in an image and a unit with the memory settings of `npm start`", async () => {
    const module = new URL("../../scripts/lib/memory-settings.mjs", import.meta.url).href;
    const { serverEnvironment } = (await import(module)) as { serverEnvironment: Record<string, string> };
    for (const file of [
      "deploy/container/Dockerfile",
      "deploy/systemd/arcada.service",
      "deploy/systemd/arcada@.service",
    ])
      for (const [name, value] of Object.entries(serverEnvironment)) {
        if (name === "NODE_COMPILE_CACHE") expect(textOf(file)).toContain(`${name}=`);
        else expect(textOf(file).replaceAll('"', ""), file).toContain(`${name}=${value}`);
      }
  });

  it("contain the compose services of each role", () => {
    const { services } = parse(textOf("deploy/compose/compose.scaled.yaml"), { merge: true }) as Compose;
    const roles = Object.values(services).flatMap(({ environment }) => environment?.["ARCADA_ROLE"] ?? []);
    expect([...new Set(roles)].toSorted()).toEqual(["dicom", "web", "worker"]);
  });
});
interface Compose {
  services: Record<string, { environment?: Record<string, string> }>;
}

describe("an image for arm64", () => {
  it("finds every binary package that x64 has in the lock file", () => {
    const { packages } = JSON.parse(textOf("package-lock.json")) as { packages: Record<string, Locked> };
    const production = Object.entries(packages).filter(([, { dev, devOptional }]) => !dev && !devOptional);
    const names = new Set(production.map(([at]) => at));
    const x64 = production.filter(([, { os, cpu }]) => os?.includes("linux") && cpu?.includes("x64")).map(([at]) => at);
    expect(x64.length).toBeGreaterThan(4);
    expect(x64.map((at) => at.replace(/x64/, "arm64")).filter((at) => !names.has(at))).toEqual([]);
  });
});
interface Locked {
  dev?: boolean;
  devOptional?: boolean;
  os?: string[];
  cpu?: string[];
}
