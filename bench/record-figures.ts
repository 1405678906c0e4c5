import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from "node:os";
import path from "node:path";
import { addSection, formatRecord, readRecord } from "./lib/figure-record.ts";
import { listViewerPeers } from "./peers/viewer-peers.ts";

// Runs the benchmarks one after another and writes their tables to last-figures.md, all of one commit:
// npm run bench -- record [names]
const file = path.join(import.meta.dirname, "last-figures.md");
const run = path.join(import.meta.dirname, "run.ts");

interface Series {
  /** The benchmarks that share a process, and some of them a product. */
  names: string[];
  settings?: Record<string, string>;
}

const series: Series[] = [
  { names: ["list", "upload", "orders-zip", "web", "paint"] },
  { names: ["events"] },
  { names: ["ingest", "idle"] },
  { names: ["imaging"] },
  { names: ["search-delay"] },
  { names: ["orders", "steps"], settings: { ARCADA_BENCH_ORDERS: "2000,20000" } },
  { names: ["streams"], settings: { ARCADA_BENCH_STREAMS: "20000" } },
  { names: ["scan"], settings: { ARCADA_BENCH_ROUNDS: "3" } },
  { names: ["scan"], settings: { ARCADA_BENCH_TRIANGLES: "5000000", ARCADA_BENCH_ROUNDS: "3" } },
  { names: ["viewer"], settings: { ARCADA_BENCH_ROUNDS: "3" } },
  { names: ["panorama"], settings: { ARCADA_BENCH_ROUNDS: "3" } },
  { names: ["patients", "search"], settings: { ARCADA_BENCH_SECONDS: "2" } },
  { names: ["day"] },
  { names: ["orders", "lists"], settings: { ARCADA_BENCH_SECONDS: "2" } },
  { names: ["quota"] },
  { names: ["dashboard"] },
  { names: ["analysis", "engine"] },
  { names: ["costs"] },
  { names: ["tracing"] },
  { names: ["large-volume"] },
  { names: ["clinics"] },
];

const git = (...words: string[]): string => execFileSync("git", words, { encoding: "utf8" }).trim();
const describeTree = (): string => {
  const changed = git(
    "status",
    "--porcelain",
    "--untracked-files=no",
    "--",
    ":/",
    ":(top,exclude)bench/last-figures.md",
  );
  if (changed !== "") throw new Error(`Figures belong to a commit; these files are changed:\n${changed}`);
  return git("rev-parse", "--short=12", "HEAD");
};
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !series.some(({ names }) => names.includes(name)));
if (unknown.length > 0) throw new Error(`Not recorded: ${unknown.join(", ")}`);

const commit = describeTree();
const heading = `# Last figures

Written by \`npm run bench -- record\` from commit ${commit}, one command after another, on a machine with ${availableParallelism()} cores (${cpus()[0].model.trim()}) and ${Math.round(totalmem() / 2 ** 30)} GiB of memory. The load is the average of one minute before and after a command, its own work included. [README.md](README.md) says what each figure is.`;

// A trial with other settings is recorded under its own name.
const inherited = Object.entries(process.env).filter(([name]) => name.startsWith("ARCADA_BENCH_"));
for (const { names, settings } of series) {
  if (wanted.length > 0 && !names.some((name) => wanted.includes(name))) continue;
  const all = { ...Object.fromEntries(inherited), ...settings };
  const command = [
    ...Object.entries(all).map(([name, value]) => `${name}=${path.basename(value ?? "")}`),
    ...names,
  ].join(" ");
  process.stderr.write(`${new Date().toISOString()} ${command}\n`);
  const before = loadavg()[0];
  const table = await readTable(names, settings);
  if (describeTree() !== commit) throw new Error("Another commit was checked out meanwhile.");
  if (table === null) {
    process.stderr.write("It failed, and is not recorded.\n");
    process.exitCode = 1;
    continue;
  }
  const notes = `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC, load ${before.toFixed(1)} before and ${loadavg()[0].toFixed(1)} after. ${listPeers()}.`;
  const former = existsSync(file) ? readRecord(readFileSync(file, "utf8")) : null;
  writeFileSync(file, formatRecord(addSection(former, heading, command, `${notes}\n\n${table}`)));
}

/** The table that some benchmarks print; null if one of them failed. */
async function readTable(names: string[], settings: Record<string, string> = {}): Promise<string | null> {
  // Benchmarks that share a process share their data; others must not find what these have changed.
  const keep = mkdtempSync(path.join(tmpdir(), "arcada-bench-keep-"));
  const child = spawn(process.execPath, [run, ...names], {
    env: { ARCADA_BENCH_KEEP: keep, ...process.env, ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const code = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
  rmSync(keep, { recursive: true, force: true });
  const rows = printed.split("\n").filter((line) => line.startsWith("| "));
  return code === 0 && rows.length > 0 ? rows.join("\n") : null;
}

function listPeers(): string {
  const preload = process.env.ARCADA_BENCH_ORTHANC_PRELOAD;
  const programs = [
    ["Orthanc", "--version"],
    ["nginx", "-v"],
    ["pgbench", "--version"],
    ["wrk", "-v"],
  ] as const;
  const versions = programs.flatMap(([program, argument]) => {
    // Some write their version to the error stream, and some end with an error.
    const { stdout, stderr, error } = spawnSync(program, [argument], { encoding: "utf8" });
    return error
      ? []
      : [
          `${stdout}${stderr}`
            .trim()
            .split("\n", 1)[0]
            .replace(/ Copyright.*/, ""),
        ];
  });
  return [
    `Node ${process.versions.node}`,
    ...listViewerPeers(),
    ...versions,
    ...(preload ? ["Orthanc with a preloaded library"] : []),
  ].join(", ");
}
