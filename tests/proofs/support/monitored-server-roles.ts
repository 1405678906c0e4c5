import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { GatewayProcess } from "@arcada/testing/peers/gateway-process";
import { createDatabaseUrl } from "@arcada/testing/setup/database-url";
import { freePort, Product } from "@arcada/testing/setup/product-process";

export const monitoredRoles = ["web", "worker", "dicom"] as const;
type Role = (typeof monitoredRoles)[number];

/** One process of each role on one database, and a gateway, each with a port for its health. */
export interface MonitoredRoles {
  web: Product;
  databaseUrl: string;
  /** Host and port of each one's health. */
  hosts: Record<Role | "gateway", string>;
  stop(): Promise<void>;
}

export async function startMonitoredRoles(): Promise<MonitoredRoles> {
  const backups = mkdtempSync(path.join(tmpdir(), "arcada-no-backups-"));
  const databaseUrl = await createDatabaseUrl();
  const shared = { DATABASE_URL: databaseUrl, SECRET_KEY: "a-key-that-all-processes-share-0123", BACKUP_DIR: backups };
  const ports = { web: await freePort(), worker: await freePort(), dicom: await freePort(), gateway: await freePort() };
  const settingsOf = (role: Role) => ({ ...shared, ARCADA_ROLE: role, HEALTH_PORT: String(ports[role]) });
  const web = new Product(settingsOf("web"));
  const worker = new Product({ ...settingsOf("worker"), DATA_DIR: web.folder });
  const dicomPort = String(await freePort());
  const dicom = new Product({ ...settingsOf("dicom"), DATA_DIR: web.folder, DICOM_PORT: dicomPort });
  for (const product of [web, worker, dicom]) await product.start();
  const gateway = new GatewayProcess({
    GATEWAY_CLOUD: web.address,
    GATEWAY_KEY: "arcada_device_0123456789abcdef",
    GATEWAY_CALLING_AES: "CT1=CT",
    GATEWAY_HEALTH_PORT: String(ports.gateway),
  });
  await gateway.start();
  return {
    web,
    databaseUrl,
    hosts: {
      web: `127.0.0.1:${ports.web}`,
      worker: `127.0.0.1:${ports.worker}`,
      dicom: `127.0.0.1:${ports.dicom}`,
      gateway: `127.0.0.1:${ports.gateway}`,
    },
    stop: async () => {
      await gateway.remove();
      await dicom.stop();
      await worker.stop();
      await web.remove();
      rmSync(backups, { recursive: true, force: true });
    },
  };
}
