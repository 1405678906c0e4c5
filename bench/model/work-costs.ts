import { present } from "@arcada/testing/require-present";
import { Product } from "@arcada/testing/setup/product-process";
import { actions, createSampleFiles, createWorkplaces } from "./clinic-actions.ts";
import type { SampleFiles, Traffic, Workplace } from "./clinic-actions.ts";
import { CostMeter } from "../lib/cost-meter.ts";
import type { Usage } from "../lib/cost-meter.ts";
import { median, type Figure } from "../lib/figure-table.ts";
import { measuredKinds, workTitles } from "./clinic-day.ts";
import type { MeasuredKind } from "./clinic-day.ts";

/** Repetitions of each kind of work, more where a single one is too short for the system's clock of 10 ms. */
const repetitions: Record<MeasuredKind, number> = {
  signIn: 30,
  smallCall: 300,
  patientList: 300,
  patientSearch: 200,
  patientDetail: 200,
  patientCreate: 150,
  orderList: 200,
  orderDetail: 150,
  dayPage: 60,
  orderStep: 150,
  filmUpload: 12,
  scanUpload: 6,
  cbctUpload: 4,
  cbctOpen: 8,
};
/** Fewer repetitions, for a trial or a machine with other work. */
const share = Number(process.env.ARCADA_BENCH_COST_SHARE ?? 1);
const clinics = 2;

/** The costs of one piece of work. Processor times are in ms, sizes in bytes. */
interface MeasuredCost extends Traffic {
  server: number;
  database: number;
  commits: number;
  wal: number;
  rows: number;
  /** The median time (ms) from its request to its end, one after another. */
  time: number;
}

/**
 * Measures what each kind of work costs of the server's and of the database's processor time, one after another on an
 * idle product, for the model of machines. What the product does without requests is subtracted.
 */
export async function measureCosts(say: (line: string) => void): Promise<Figure[]> {
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off", FREE_STORAGE_GB: "1000" });
  try {
    await product.start();
    say("Clinics of 1,000 patients and 500 orders are made …");
    const places = await createWorkplaces(product, clinics, { patients: 1000, orders: 500 });
    const files = createSampleFiles();
    const meter = await CostMeter.open(product);
    try {
      await meter.waitUntilQuiet();
      const idle = await meter.measureIdle();
      const figures = [
        { what: "without any request: server", ours: idle.server, unit: "ms a second" },
        { what: "without any request: database", ours: idle.database, unit: "ms a second" },
        { what: "without any request: memory of server and database", ours: meter.readMemory(), unit: "MB" },
      ];
      for (const kind of measuredKinds) {
        const cost = await measureKind(kind, { places, files, meter, idle });
        say(`${kind} ${JSON.stringify(cost)}`);
        figures.push(...figuresOf(kind, cost));
      }
      return figures;
    } finally {
      await meter.close();
    }
  } finally {
    await product.remove();
  }
}

const figuresOf = (kind: MeasuredKind, cost: MeasuredCost): Figure[] => {
  const row = (name: string, ours: number, unit: string): Figure => ({
    what: `${workTitles[kind]}: ${name}`,
    ours,
    unit,
  });
  return [
    row("processor, server", cost.server, "ms"),
    row("processor, database", cost.database, "ms"),
    row("time, median", cost.time, "ms"),
    row("commits", cost.commits, ""),
    row("write-ahead log", cost.wal / 1000, "kB"),
    row("database grows", cost.rows / 1000, "kB"),
    row("sent", cost.sent / 1000, "kB"),
    row("received", cost.received / 1000, "kB"),
  ];
};

interface Setting {
  places: Workplace[];
  files: SampleFiles;
  meter: CostMeter;
  idle: Usage;
}

async function measureKind(kind: MeasuredKind, { places, files, meter, idle }: Setting): Promise<MeasuredCost> {
  const count = Math.max(2, Math.round(repetitions[kind] * share));
  const run = (turn: number) => actions[kind](present(places[turn % places.length], "workplace"), files);
  // The first ones prepare statements, start threads and let the compiler see the code.
  for (let turn = 0; turn < Math.min(10, Math.ceil(count / 4)); turn++) await run(turn);
  await meter.waitUntilQuiet();
  const before = await meter.read();
  const times: number[] = [];
  const traffic = { sent: 0, received: 0 };
  for (let turn = 0; turn < count; turn++) {
    const from = performance.now();
    const { sent, received } = await run(turn);
    times.push(performance.now() - from);
    traffic.sent += sent / count;
    traffic.received += received / count;
  }
  await meter.waitUntilQuiet();
  const after = await meter.read();
  const seconds = after.at - before.at;
  const each = (pick: Exclude<keyof Usage, "at">) => (after[pick] - before[pick] - idle[pick] * seconds) / count;
  return {
    server: each("server"),
    database: each("database"),
    commits: each("commits"),
    wal: each("wal"),
    rows: each("rows"),
    ...traffic,
    time: median(times),
  };
}
