import { listAuditChecks, findUnsealed } from "./audit.store.ts";
import { countFaults, sumStoreSizes } from "./instance-health.store.ts";
import type { Gauge, GaugeServices } from "../platform/telemetry/gauges.ts";

/** The sums read every row of the stored files. */
const sizesKeepMs = 600_000;

export const operatorGauges = ({ database }: GaugeServices): readonly Gauge[] => [
  {
    metrics: {
      arcada_audit_unsealed_rows: { help: "Rows of the audit log that are not sealed yet, counted up to 10,001" },
      arcada_audit_unsealed_age_seconds: { help: "Age of the oldest row of the audit log that is not sealed yet" },
      arcada_audit_broken: { help: "1 if the last complete check of the audit log found a fault, otherwise 0" },
    },
    keepMs: 5000,
    read: () =>
      database.asSystem(async (db) => {
        const unsealed = await findUnsealed(db);
        const check = (await listAuditChecks(db)).find(({ finished_at }) => finished_at !== null);
        return {
          arcada_audit_unsealed_rows: [{ value: unsealed.rows }],
          arcada_audit_unsealed_age_seconds: [{ value: unsealed.age }],
          arcada_audit_broken: [{ value: check && check.broken !== null ? 1 : 0 }],
        };
      }),
  },
  {
    metrics: {
      arcada_storage_files: { help: "Stored files: originals, and files converted from them", labels: ["kind"] },
      arcada_storage_bytes: { help: "Size of the stored files", labels: ["kind"] },
    },
    keepMs: sizesKeepMs,
    read: async () => {
      const kinds = Object.entries(await database.asSystem(sumStoreSizes));
      return {
        arcada_storage_files: kinds.map(([kind, { files }]) => ({ labels: { kind }, value: files })),
        arcada_storage_bytes: kinds.map(([kind, { bytes }]) => ({ labels: { kind }, value: bytes })),
      };
    },
  },
  {
    metrics: {
      arcada_storage_faults: { help: "Stored files that are damaged or missing", labels: ["fault"] },
    },
    keepMs: 10_000,
    read: async () => {
      const faults = Object.entries(await database.asSystem(countFaults));
      return { arcada_storage_faults: faults.map(([fault, value]) => ({ labels: { fault }, value })) };
    },
  },
];
