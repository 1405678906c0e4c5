import { readFileSync } from "node:fs";
import { OtlpCollector } from "@arcada/testing/peers/otlp-collector";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { Product } from "@arcada/testing/setup/product-process";
import { startPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import { createClinic } from "./data/clinic.ts";
import { roundSeconds } from "./lib/figure-table.ts";
import type { Figure } from "./lib/figure-table.ts";
import { measureLoad } from "./lib/load-generator.ts";

const patients = 2000;
const clockTicksPerSecond = 100;

/**
 * Measures what tracing costs: the processor time of the server (without its database) for a page of the patient list,
 * without an endpoint, and with a collector at the shares 0.1 and 1. `ARCADA_BENCH_FORMER` names a checkout of a version
 * without tracing, to compare the first with.
 */
export async function measureTracing(say: (line: string) => void): Promise<Figure[]> {
  const collector = await OtlpCollector.open();
  const traced = (share: string) => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: share,
  });
  const own = path.join(import.meta.dirname, "..");
  const former = process.env.ARCADA_BENCH_FORMER;
  const variants: Record<string, { root: string; environment: Record<string, string> }> = {
    ...(former && { former: { root: former, environment: {} } }),
    off: { root: own, environment: {} },
    tenth: { root: own, environment: traced("0.1") },
    all: { root: own, environment: traced("1") },
  };
  const closing: (() => Promise<unknown>)[] = [() => collector.close()];
  try {
    const runs: Record<string, () => Promise<number>> = {};
    for (const [name, { root, environment }] of Object.entries(variants)) {
      say(`A product with tracing: ${name} …`);
      runs[name] = await startVariant(root, environment, closing);
    }
    return toFigures(await findLeast(runs, Number(process.env.ARCADA_BENCH_ROUNDS ?? 9)));
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

/**
 * Returns the least figure of each: other load on the machine takes cache and clock from a round, and never makes one
 * cheaper. The differences here are smaller than that disturbance, which remains in a median.
 */
async function findLeast(runs: Record<string, () => Promise<number>>, rounds: number): Promise<Record<string, number>> {
  const least = Object.fromEntries(Object.keys(runs).map((name) => [name, Number.POSITIVE_INFINITY]));
  const names = Object.keys(runs);
  for (let round = 0; round <= rounds; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await runs[name]!();
      // The first round fills caches.
      if (round > 0) least[name] = Math.min(least[name]!, value);
    }
  return least;
}

/** Returns the run: the microseconds of processor time that the server takes for each page. */
async function startVariant(
  root: string,
  environment: Record<string, string>,
  closing: (() => Promise<unknown>)[],
): Promise<() => Promise<number>> {
  const module = pathToFileURL(path.join(root, "packages/testing/src/setup/product-process.ts")).href;
  const { Product: ProductOf } = (await import(module)) as { Product: typeof Product };
  const product = new ProductOf({ NODE_ENV: "production", LOGIN_STEP_UP: "off", ...environment });
  closing.push(() => product.remove());
  await product.start();
  const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
  const { token } = await createClinic(postgres.connection, patients);
  await postgres.stop();
  const list = `${product.address}${patientCalls.list.path}?pageSize=20`;
  return async () => {
    const before = processorSeconds(product.pid);
    const perSecond = await measureLoad(list, { token });
    return ((processorSeconds(product.pid) - before) / (perSecond * roundSeconds)) * 1e6;
  };
}

/** User and system time of a process, its threads included. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond;
}

function toFigures({ former, off, tenth, all }: Record<string, number>): Figure[] {
  const unit = "µs of processor time a page";
  const without = { what: "without tracing", value: off! };
  return [
    ...(former === undefined
      ? []
      : [
          {
            what: "patient list, no endpoint set",
            ours: off!,
            peer: { what: "the checkout of ARCADA_BENCH_FORMER", value: former },
            unit,
            goal: { most: 1.01 },
          },
        ]),
    { what: "patient list, a tenth of the traces recorded", ours: tenth!, peer: without, unit },
    { what: "patient list, all traces recorded", ours: all!, peer: without, unit },
  ];
}
