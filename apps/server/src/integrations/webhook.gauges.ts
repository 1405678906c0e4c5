import { sql } from "kysely";
import type { Gauge, GaugeServices } from "../platform/telemetry/gauges.ts";

interface WebhookFigures {
  waiting: number;
  oldest: number;
  failed: number;
  stopped: number;
}

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
      const [{ waiting, oldest, failed, stopped } = { waiting: 0, oldest: 0, failed: 0, stopped: 0 }] =
        await database.queryAsSystem(sql<WebhookFigures>`select
          (select count(*)::int from webhook_delivery where state = 'waiting') as waiting,
          (select coalesce(extract(epoch from now() - min(d.created_at)), 0)::float from webhook_delivery d
            join webhook w on w.institution_id = d.institution_id and w.id = d.webhook_id and w.state = 'on'
            where d.state = 'waiting') as oldest,
          (select count(*)::int from webhook_delivery
            where created_at > now() - interval '1 day' and state = 'failed') as failed,
          (select count(*)::int from webhook where state = 'stopped') as stopped`);
      return {
        arcada_webhook_deliveries: [
          { labels: { state: "waiting" }, value: waiting },
          { labels: { state: "failed" }, value: failed },
        ],
        arcada_webhook_oldest_seconds: [{ value: oldest }],
        arcada_webhooks_stopped: [{ value: stopped }],
      };
    },
  },
];
