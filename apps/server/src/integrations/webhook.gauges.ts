import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { Gauge, GaugeServices } from "../platform/telemetry/gauges.ts";

export const webhookGauges = ({ database }: GaugeServices): readonly Gauge[] => [
  {
    metrics: {
      arcada_webhook_deliveries: {
        help: "Deliveries to webhooks that wait, and those that were given up within a day",
        labels: ["state"],
      },
      arcada_webhook_oldest_seconds: { help: "Age of the oldest delivery that waits for an endpoint that is on" },
      arcada_webhooks_stopped: { help: "Endpoints that were stopped because every delivery failed" },
    },
    keepMs: 10_000,
    read: async () => {
      const { waiting, oldest, failed, stopped } = await database.asSystem(countDeliveries);
      return {
        arcada_webhook_deliveries: [
          { labels: { state: "waiting" }, value: waiting ?? 0 },
          { labels: { state: "failed" }, value: failed ?? 0 },
        ],
        arcada_webhook_oldest_seconds: [{ value: oldest ?? 0 }],
        arcada_webhooks_stopped: [{ value: stopped ?? 0 }],
      };
    },
  },
];

const countDeliveries = (db: Db) =>
  db
    .selectNoFrom((of) => [
      of.selectFrom("webhook_delivery").select(countRows).where("state", "=", "waiting").as("waiting"),
      of
        .selectFrom("webhook_delivery as d")
        .innerJoin("webhook as w", (join) =>
          join.onRef("w.institution_id", "=", "d.institution_id").onRef("w.id", "=", "d.webhook_id"),
        )
        .select(sql<number>`coalesce(extract(epoch from now() - min(d.created_at)), 0)::float`.as("age"))
        .where("d.state", "=", "waiting")
        .where("w.state", "=", "on")
        .as("oldest"),
      of
        .selectFrom("webhook_delivery")
        .select(countRows)
        .where("state", "=", "failed")
        .where("created_at", ">", sql<string>`now() - interval '1 day'`)
        .as("failed"),
      of.selectFrom("webhook").select(countRows).where("state", "=", "stopped").as("stopped"),
    ])
    .executeTakeFirstOrThrow();

const countRows = sql<number>`count(*)::int`.as("count");
