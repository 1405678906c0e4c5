import { execFileSync, spawn } from "node:child_process";
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
  { names: ["scan"], settings: { ARCADA_BENCH_ROUNDS: "3" } },
  { names: ["scan"], settings: { ARCADA_BENCH_TRIANGLES: "5000000", ARCADA_BENCH_ROUNDS: "3" } },
  { names: ["viewer"], settings: { ARCADA_BENCH_ROUNDS: "3" } },
  { names: ["panorama"], settings: { ARCADA_BENCH_ROUNDS: "3" } },
  { names: ["streams"], settings: { ARCADA_BENCH_STREAMS: "20000" } },
  { names: ["orders", "steps"] },
  { names: ["orders", "lists"] },
  { names: ["patients", "search"] },
  { names: ["day"] },
  { names: ["quota"] },
  { names: ["dashboard"] },
  { names: ["analysis", "engine"] },
  { names: ["tracing"] },
  { names: ["costs"] },
  { names: ["large-volume"] },
  { names: ["clinics"] },
];

const git = (...words: string[]): string => execFileSync("git", words, { encoding: "utf8" }).trim();
const wanted = process.argv.slice(2);
const changed = git("status", "--porcelain", "--untracked-files=no", "--", ":/", `:!${file}`);
if (changed !== "") throw new Error(`Figures belong to a commit; these files are changed:\n${changed}`);

const heading = `# Last figures

Written by \`npm run bench -- record\` on ${new Date().toISOString().slice(0, 10)}, from commit ${git("rev-parse", "--short=12", "HEAD")}, one command after another on a machine with ${availableParallelism()} cores (${cpus()[0].model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB of memory and no other work. The load is the machine's average of one minute before and after a command, its own work included. [README.md](README.md) says what each figure is.

Peers: ${listPeers()}.`;

const keep = mkdtempSync(path.join(tmpdir(), "arcada-bench-keep-"));
try {
  for (const { names, settings } of series) {
    if (wanted.length > 0 && !names.some((name) => wanted.includes(name))) continue;
    const command = [...Object.entries(settings ?? {}).map(([name, value]) => `${name}=${value}`), ...names].join(" ");
    process.stderr.write(`${new Date().toISOString()} ${command}\n`);
    const before = loadavg()[0];
    const table = await readTable(names, { ARCADA_BENCH_KEEP: keep, ...settings });
    const loads = `Load ${before.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after.`;
    const record = addSection(
      existsSync(file) ? readRecord(readFileSync(file, "utf8")) : null,
      heading,
      command,
      `${loads}\n\n${table}`,
    );
    writeFileSync(file, formatRecord(record));
  }
} finally {
  rmSync(keep, { recursive: true, force: true });
}

/** The table that some benchmarks print; a sentence if they print none. */
async function readTable(names: string[], settings: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [run, ...names], {
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const code = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
  const rows = printed.split("\n").filter((line) => line.startsWith("| "));
  if (code !== 0) rows.push("", "Not all of it was measured: a benchmark failed.");
  return rows.join("\n").trim();
}

function listPeers(): string {
  const ask = (program: string, argument: string): string | undefined => {
    try {
      return execFileSync(program, [argument], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).split(
        "\n",
        1,
      )[0];
    } catch {
      return undefined;
    }
  };
  const orthanc = ask("Orthanc", "--version");
  const preload = process.env.ARCADA_BENCH_ORTHANC_PRELOAD;
  return [
    `Node ${process.versions.node}`,
    ...listViewerPeers(),
    ...(orthanc ? [`${orthanc}${preload ? " with a library that sets TCP_NODELAY" : ""}`] : []),
    ...[ask("pgbench", "--version"), ask("zip", "-v") && "zip -0", ask("wrk", "-v") && "wrk"].filter(
      (one) => one !== undefined,
    ),
  ].join(", ");
}
