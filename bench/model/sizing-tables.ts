import { ordinaryDay, workKinds, workTitles } from "./clinic-day.ts";
import type { ClinicDay } from "./clinic-day.ts";
import { demandOf, growthOf, planMachines } from "./machines.ts";
import type { Demand, Growth, Plan } from "./machines.ts";
import { assumptions, workCosts } from "./measured-costs.ts";

const sizes = [1, 40, 1000, 10_000];

/** The tables of the model by the heading under which `docs/operator/sizing.md` shows them. */
export const sizingTables = (day: ClinicDay = ordinaryDay): Record<string, string> => {
  const plans = sizes.map((clinics) => planMachines(day, clinics));
  return {
    day: formatRows(
      ["in a day", "of one clinic"],
      [
        ["people with a page open", format(day.people)],
        ["hours; share of the busiest one", `${day.hours}; ${format(day.peakShare * 100)} %`],
        ...workKinds.map((kind) => [workTitles[kind], format(day.work[kind])]),
      ],
    ),
    machines: formatPlans(plans, {
      machines: ({ isOneMachine, cores, memory }) =>
        isOneMachine ? `one: ${cores} cores, ${memory.machine} GB` : "several",
      "web processes": ({ isOneMachine, webProcesses, memory }) =>
        isOneMachine ? "in it" : `${webProcesses} of 1 core, ${memory.web} GB`,
      workers: ({ isOneMachine, workers, memory }) =>
        isOneMachine ? "in it" : `${workers} of ${assumptions.workerCores} cores, ${memory.worker} GB`,
      database: ({ isOneMachine, cores, memory }) =>
        isOneMachine ? "embedded" : `2 of ${cores} cores, ${memory.database} GB (one is the standby)`,
      "connections to the database": ({ connections }) => format(connections),
      "a call, 95 of 100 within": ({ callTime }) => `${format(callTime * 1000)} ms`,
      "a CBCT ready, 95 of 100 within": ({ cbctTime }) => `${format(cbctTime)} s`,
    }),
    "busiest hour": formatPlans(plans, {
      "calls a second": ({ demand }) => format(demand.calls),
      "cores: web": ({ demand }) => format(demand.web),
      "cores: jobs": ({ demand }) => format(demand.worker),
      "cores: database": ({ demand }) => format(demand.database),
      "commits a second": ({ demand }) => format(demand.commits),
      "event streams": ({ demand }) => format(demand.streams),
      "to browsers": ({ demand }) => `${format((demand.outgoing * 8) / 1e6)} Mbit/s`,
      "from browsers": ({ demand }) => `${format((demand.incoming * 8) / 1e6)} Mbit/s`,
    }),
    growth: formatPlans(plans, {
      database: ({ growth }) => formatBytes(growth.database),
      files: ({ growth }) => formatBytes(growth.files),
      "objects in the bucket": ({ growth }) => `${format(growth.objects / 1e6)} million`,
      "write-ahead log, on a working day": ({ growth }) => formatBytes(growth.log / day.workingDays),
    }),
    limits: formatRows(
      ["what is full", "at about"],
      limits.map(([what, isFull]) => [what, `${format(findLimit(day, isFull))} clinics`]),
    ),
    check: formatRows(["part", "measured", "predicted", "error"], compareWithLoadTest()),
    costs: formatRows(
      ["work", "server", "database", "write-ahead log", "stored"],
      workKinds.map((kind) => {
        const { server, database, wal, files } = workCosts[kind];
        return [
          workTitles[kind],
          `${format(server)} ms`,
          `${format(database)} ms`,
          formatBytes(wal),
          files > 0 ? formatBytes(files) : "",
        ];
      }),
    ),
  };
};

/**
 * The result of `npm run bench -- day` in `last-figures.md` (AMD EPYC, load 1.4): a twentieth of the day of 40 clinics in
 * six minutes, without analyses. Cores of the server and of the database.
 */
const loadTest = { clinics: 40, part: 0.05, seconds: 360, server: 0.62, database: 0.175 };

function compareWithLoadTest(): string[][] {
  const { clinics, part, seconds } = loadTest;
  const work = { ...ordinaryDay.work, analysis: 0 };
  const { web, worker, database } = demandOf({ ...ordinaryDay, work, peakShare: (part * 3600) / seconds }, clinics);
  const predicted = { server: web + worker + assumptions.idleServer / 1000, database };
  return (["server", "database"] as const).map((part) => [
    part,
    `${format(loadTest[part])} cores`,
    `${format(predicted[part])} cores`,
    `${format((predicted[part] / loadTest[part] - 1) * 100)} %`,
  ]);
}

const busy = assumptions.busiest;
const limits: [string, (demand: Demand, growth: Growth) => boolean][] = [
  [
    `${assumptions.oneMachineBytes / 1e12} TB of files in a year, which belong into a bucket`,
    (_, growth) => growth.files > assumptions.oneMachineBytes,
  ],
  [`one web process, ${busy * 100} % busy`, ({ web }) => web > busy],
  [
    `one worker of ${assumptions.workerCores} cores, ${busy * 100} % busy`,
    ({ worker }) => worker > busy * assumptions.workerCores,
  ],
  [
    `one machine of ${assumptions.oneMachineCores} cores, ${busy * 100} % busy`,
    ({ web, worker, database }) => web + worker + database > busy * assumptions.oneMachineCores,
  ],
  [
    `a network of 1 Gbit/s, ${busy * 100} % busy`,
    ({ outgoing, incoming }) => Math.max(outgoing, incoming) * 8 > busy * 1e9,
  ],
  [`a database of 16 cores, ${busy * 100} % busy`, ({ database }) => database > busy * 16],
  [`a database of 64 cores, ${busy * 100} % busy`, ({ database }) => database > busy * 64],
];

/** Returns the number of clinics, rounded down to two digits, with which a limit is not yet passed. */
function findLimit(day: ClinicDay, isFull: (demand: Demand, growth: Growth) => boolean): number {
  let [fits, full] = [0, 1];
  const isFullWith = (clinics: number) => isFull(demandOf(day, clinics), growthOf(day, clinics));
  while (!isFullWith(full)) [fits, full] = [full, full * 2];
  while (full - fits > 1) {
    const middle = Math.floor((fits + full) / 2);
    if (isFullWith(middle)) full = middle;
    else fits = middle;
  }
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, fits))) - 1);
  return Math.floor(fits / unit) * unit;
}

const formatPlans = (plans: Plan[], rows: Record<string, (plan: Plan) => string>): string =>
  formatRows(
    ["", ...plans.map(({ clinics }) => (clinics === 1 ? "1 clinic" : `${format(clinics)} clinics`))],
    Object.entries(rows).map(([name, cell]) => [name, ...plans.map(cell)]),
  );

const formatRows = (head: string[], rows: string[][]): string =>
  [head, head.map(() => "-"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** Two significant digits, because the model is no better. */
const format = (value: number): string =>
  Number.isFinite(value) ? Number(value.toPrecision(2)).toLocaleString("en", { maximumFractionDigits: 3 }) : "never";

function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  const place = Math.max(0, Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${format(bytes / 1000 ** place)} ${units[place]}`;
}

/** The answers of the model as text: which machines clinics need. Nothing is measured. */
export const printModel = (): string =>
  Object.entries(sizingTables())
    .map(([name, table]) => `## ${name}\n\n${table}\n`)
    .join("\n");

/** Puts the tables of the model into the page, between `<!-- model: NAME -->` and `<!-- end -->`. */
export function insertTables(page: string, tables = sizingTables()): string {
  return page.replaceAll(
    /(<!-- model: ([a-z ]+) -->\n)[^]*?(<!-- end -->)/g,
    (_, open: string, name: string, close: string) => {
      const table = tables[name];
      if (table === undefined) throw new Error(`The model has no table "${name}".`);
      return `${open}\n${table}\n\n${close}`;
    },
  );
}
