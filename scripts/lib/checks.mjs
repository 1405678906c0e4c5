import { existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { isStopping, runChild } from "./child-process.mjs";
import { inBuild, inRoot, readText } from "./paths.mjs";
import { environmentFor, programOf } from "./node-runtime.mjs";
import { buildWeb } from "./build-web.mjs";

/** Runs all checks: types, lint, format, dead files, tests of all kinds. With paths it runs only those tests. */
export async function runTests(runtime, chosen) {
  const all = chosen.length === 0;
  return report(runtime, [
    ...(all ? [...checks, deadFiles] : []),
    tests("tests", ["unit", "server", "proof"], chosen),
    ...(all || chosen.some((one) => one.includes("e2e")) ? [webBuild, tests("journeys", ["e2e"], chosen)] : []),
  ]);
}

/** Runs the checks that are quick enough before each commit. */
export const runChecks = (runtime, chosen) => report(runtime, [...checks, tests("unit tests", ["unit"], chosen)]);

const program = (title, name, options) => ({
  title,
  async run(runtime) {
    const code = await runChild(runtime, [programOf(name), ...options()], { env: environmentFor(runtime) });
    return code === 0 ? passed : failed;
  },
});
const passed = { passed: 1, failed: 0, skipped: 0 };
const failed = { passed: 0, failed: 1, skipped: 0 };

// Rules that need types (a promise that nobody awaits) are checked by a separate program.
const typeAware = () => (existsSync(inRoot("node_modules/oxlint-tsgolint")) ? ["--type-aware"] : []);
const checks = [
  program("types", "tsc", () => ["-b"]),
  program("lint", "oxlint", typeAware),
  program("format", "oxfmt", () => ["--check", "."]),
];
const deadFiles = program("dead files and dependencies", "knip", () => [
  "--include=files,dependencies,unlisted,unresolved",
  "--no-config-hints",
  "--no-progress",
]);
const webBuild = {
  title: "web build",
  async run(runtime) {
    try {
      await buildWeb(runtime);
      return passed;
    } catch (error) {
      process.stderr.write(`${error.sentence ?? error.stack}\n`);
      return failed;
    }
  },
};

/** Failing test files are run once more and the second result counts. The report names files that needed two runs. */
const tests = (title, projects, chosen) => ({
  title,
  async run(runtime) {
    const first = await runVitest(runtime, title, projects, chosen);
    const broken = first.files.filter(isBroken).map(({ name }) => name);
    process.stdout.write(`\nLongest: ${longest(first.files).join(", ")}\n`);
    if (broken.length === 0 || isStopping()) return countsOf(first.files, first.code);
    process.stdout.write(`\n── once more: ${broken.map(inTree).join(", ")}\n`);
    const second = await runVitest(runtime, title, projects, broken);
    process.stdout.write(
      failures(first.files)
        .map((line) => `\nFailed at first: ${line}`)
        .join(""),
    );
    process.stdout.write(
      failures(second.files)
        .map((line) => `\nFailed twice: ${line}`)
        .join(""),
    );
    return countsOf([...first.files.filter((one) => !isBroken(one)), ...second.files], second.code);
  },
});

async function runVitest(runtime, title, projects, chosen) {
  const file = inBuild("test", `${title.replaceAll(" ", "-")}.json`);
  mkdirSync(path.dirname(file), { recursive: true });
  rmSync(file, { force: true });
  const options = [
    ...projects.flatMap((name) => ["--project", name]),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${file}`,
    "--passWithNoTests",
  ];
  const code = await runChild(runtime, [programOf("vitest"), "run", ...options, ...chosen], {
    // Each test file runs in its own process, so share the compile cache between them.
    env: environmentFor(runtime, { NODE_COMPILE_CACHE: inBuild("compile-cache") }),
  });
  return { code, files: JSON.parse(readText(file) || "{}").testResults ?? [] };
}

const isBroken = ({ status, assertionResults }) =>
  status === "failed" || assertionResults.some((one) => one.status === "failed");

const inTree = (file) => path.relative(inRoot("."), file);

/** Returns the slowest test files with their seconds: they determine the total duration. */
const longest = (files) =>
  files
    .map(({ name, startTime, endTime }) => ({ name: inTree(name), seconds: Math.round((endTime - startTime) / 1000) }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, 15)
    .map(({ name, seconds }) => `${name} ${seconds} s`);

/** Returns the names of the failed tests and the first line of each message. The full messages are printed above. */
const failures = (files) =>
  files.filter(isBroken).flatMap(({ name, message, assertionResults }) => {
    const wrong = assertionResults.filter((one) => one.status === "failed");
    const told = wrong.map((one) => `${one.fullName}: ${firstLine(one.failureMessages?.[0])}`);
    return (wrong.length > 0 ? told : [firstLine(message)]).map((line) => `${inTree(name)}: ${line}`);
  });

const firstLine = (text = "") => text.split("\n", 1)[0].slice(0, 300);

/** The counts in Vitest's report. A file that could not be loaded, or an error outside of tests, is a failure, too. */
function countsOf(files, code) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { status, assertionResults } of files) {
    const failures = assertionResults.filter((one) => one.status === "failed").length;
    counts.failed += status === "failed" ? Math.max(failures, 1) : failures;
    for (const one of assertionResults)
      if (one.status === "passed") counts.passed++;
      else if (one.status !== "failed") counts.skipped++;
  }
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

async function report(runtime, steps) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const wrong = [];
  const took = [];
  for (const { title, run } of steps) {
    if (isStopping()) return 130;
    process.stdout.write(`\n── ${title}\n`);
    const began = performance.now();
    const counts = await run(runtime);
    took.push(`${title} ${Math.round((performance.now() - began) / 1000)} s`);
    for (const key of Object.keys(total)) total[key] += counts[key];
    if (counts.failed > 0) wrong.push(title);
  }
  if (isStopping()) return 130;
  process.stdout.write(`\nTook: ${took.join(", ")}\n`);
  if (wrong.length > 0) process.stdout.write(`\nFailed: ${wrong.join(", ")}\n`);
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  return total.failed > 0 || total.passed === 0 ? 1 : 0;
}
