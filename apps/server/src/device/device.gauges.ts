import { sql } from "kysely";
import type { Gauge, GaugeServices } from "../platform/telemetry/gauges.ts";

/** A gateway reports every minute while it runs and reaches this instance. */
const silentAfter = "15 minutes";
/** A device that has reported nothing for longer was probably taken out of service. */
const forgottenAfter = "14 days";

export const deviceGauges = ({ database }: GaugeServices): readonly Gauge[] => [
  {
    metrics: {
      arcada_device_waiting_items: {
        help: "Objects that wait in gateways and devices, as these reported within the last 15 minutes",
      },
      arcada_devices_silent: {
        help: "Bound devices and gateways that reported within two weeks, but not within the last 15 minutes",
      },
    },
    keepMs: 10_000,
    read: async () => {
      const [row] = await database.queryAsSystem(sql<{ waiting: number; silent: number }>`select
          coalesce(sum(waiting) filter (where said_at > now() - ${silentAfter}::interval), 0)::int as waiting,
          count(*) filter (where said_at <= now() - ${silentAfter}::interval)::int as silent
        from device where state = 'bound' and said_at > now() - ${forgottenAfter}::interval`);
      return {
        arcada_device_waiting_items: [{ value: row?.waiting ?? 0 }],
        arcada_devices_silent: [{ value: row?.silent ?? 0 }],
      };
    },
  },
];
