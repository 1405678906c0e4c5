import { Gauge as PromGauge, Registry } from "prom-client";
import type { Config } from "../runtime/config.ts";
import type { Database } from "../database/database.ts";
import { logEvent } from "./log.ts";

export interface GaugeServices {
  config: Config;
  database: Database;
}

export interface GaugeValue {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

type GaugeValues = Readonly<Record<string, readonly GaugeValue[]>>;

/** Figures that are read when somebody asks for them; one read may return several metrics. */
export interface Gauge {
  metrics: Readonly<Record<string, { help: string; labels?: readonly string[] }>>;
  /** A figure is not read again sooner, however many scrapers ask. */
  keepMs: number;
  read: () => Promise<GaugeValues>;
}

/** Scrapers wait for ten seconds; a database that hangs must not cost them the other figures. */
const readTimeoutMs = 3000;

/** The gauges as text for Prometheus. */
export interface GaugeReader {
  text(): Promise<string>;
}

/**
 * Reads these gauges when it is asked. If a read fails, its metrics are absent from the answer,
 * `arcada_gauge_read_failures` counts it, and the other figures are answered all the same.
 */
export function createGaugeReader(gauges: readonly Gauge[]): GaugeReader {
  const groups = gauges.map(cacheReads);
  return {
    text: async () => {
      const values = await Promise.all(groups.map((read) => read()));
      // A registry for each answer: prom-client would go on to report the last value of a gauge that was not read.
      const registry = new Registry();
      new PromGauge({
        name: "arcada_gauge_read_failures",
        help: "Groups of figures that could not be read for this answer",
        registers: [registry],
      }).set(values.filter((one) => one === null).length);
      gauges.forEach((gauge, index) => addToRegistry(registry, gauge, values[index] ?? {}));
      return registry.metrics();
    },
  };
}

function addToRegistry(registry: Registry, { metrics }: Gauge, values: GaugeValues): void {
  for (const [name, { help, labels = [] }] of Object.entries(metrics)) {
    if (!values[name]) continue;
    const gauge = new PromGauge({ name, help, labelNames: [...labels], registers: [registry] });
    for (const { labels: given = {}, value } of values[name]) gauge.set({ ...given }, value);
  }
}

/** Null: the figures could not be read, or not in time; then a later answer contains them. */
function cacheReads({ metrics, keepMs, read }: Gauge): () => Promise<GaugeValues | null> {
  let [readAt, values]: [number, GaugeValues] = [Number.NEGATIVE_INFINITY, {}];
  let pending: Promise<GaugeValues> | null = null;
  let isFailing = false;
  const readAndKeep = async (): Promise<GaugeValues> => {
    values = await read();
    readAt = performance.now();
    isFailing = false;
    return values;
  };
  return async () => {
    if (performance.now() - readAt < keepMs) return values;
    try {
      // Scrapers do not wait for each other's slow read with one more of their own.
      return await withTimeout((pending ??= readAndKeep().finally(() => (pending = null))));
    } catch (error) {
      if (!isFailing)
        logEvent("warn", "metrics", `${Object.keys(metrics)[0]} could not be read: ${describeError(error)}`);
      isFailing = true;
      return null;
    }
  };
}

class ReadTimeout extends Error {
  override name = "ReadTimeout";
}

const withTimeout = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) =>
      setTimeout(() => reject(new ReadTimeout(`no answer within ${readTimeoutMs} ms`)), readTimeoutMs).unref(),
    ),
  ]);

/** The message of a database error could contain values. */
const describeError = (error: unknown): string =>
  error instanceof ReadTimeout ? error.message : ((error as Error).name ?? "an error");
