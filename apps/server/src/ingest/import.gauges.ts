import { sql } from "kysely";
import type { Gauge, GaugeServices } from "../platform/telemetry/gauges.ts";

/** An import that waits for a part of the server is no failed job for days, so its age is a figure of its own. */
export const importGauges = ({ database }: GaugeServices): readonly Gauge[] => [
  {
    metrics: { arcada_import_oldest_seconds: { help: "Age of the oldest import that has not ended; 0 without one" } },
    keepMs: 10_000,
    read: async () => {
      const { age } = await database.asSystem((db) =>
        db
          .selectFrom("ingest_job")
          .select(sql<number>`coalesce(extract(epoch from now() - min(created_at)), 0)::float`.as("age"))
          .where("state", "in", ["waiting", "running"])
          .executeTakeFirstOrThrow(),
      );
      return { arcada_import_oldest_seconds: [{ value: age }] };
    },
  },
];
