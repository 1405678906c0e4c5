import { existsSync, mkdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { isStopping, runChild } from "./child-process.mjs";
import { inBuild, inRoot, readText } from "./paths.mjs";
import { createEnvironment, findProgram } from "./find-node-runtime.mjs";
import { buildWeb } from "./build-web.mjs";

/** Runs all checks: types, lint, format, dead files, tests of all kinds. With paths it runs only those tests. */
export async function runTests(runtime, selectedPaths) {
  const all = selectedPaths.length === 0;
  const isOfJourneys = selectedPaths.some((one) => one.includes("e2e"));
  return report(runtime, [
    ...(isOfJourneys ? [[webBuildCheck]] : []),
    ...(all ? [[...checks, deadFilesCheck, webBuildCheck]] : []),
    [defineTests("tests", ["unit", "web", "server", "proof"], selectedPaths, waitingWorkers)],
    ...(all || isOfJourneys ? [[defineTests("journeys", ["e2e"], selectedPaths)]] : []),
  ]);
}

// These tests wait for a database, a clock or another process: a worker kept 0.6 of a core busy when it was measured.
const waitingWorkers = ["--maxWorkers", String(availableParallelism() + 1)];

/** Runs the checks that are quick enough before each commit. */
export const runChecks = (runtime, selectedPaths) =>
  report(runtime, [checks, [defineTests("unit tests", ["unit", "web"], selectedPaths)]]);

const defineCheck = (title, name, options) => ({
  title,
  async run(runtime) {
    const code = await runChild(runtime, [findProgram(name), ...options()], { env: createEnvironment(runtime) });
    return code === 0 ? passedCounts : failedCounts;
  },
});
const passedCounts = { passed: 1, failed: 0, skipped: 0 };
const failedCounts = { passed: 0, failed: 1, skipped: 0 };

// Rules that need types (a promise that nobody awaits) are checked by a separate program.
const typeAwareOptions = () => (existsSync(inRoot("node_modules/oxlint-tsgolint")) ? ["--type-aware"] : []);
const checks = [
  defineCheck("types", "tsc", () => ["-b"]),
  defineCheck("lint", "oxlint", typeAwareOptions),
  defineCheck("format", "oxfmt", () => ["--check", "."]),
];
const deadFilesCheck = defineCheck("dead files and dependencies", "knip", () => [
  "--include=files,dependencies,unlisted,unresolved",
  "--no-config-hints",
  "--no-progress",
]);
const webBuildCheck = {
  title: "web build",
  async run(runtime) {
    try {
      await buildWeb(runtime);
      return passedCounts;
    } catch (error) {
      process.stderr.write(`${error.userMessage ?? error.stack}\n`);
      return failedCounts;
    }
  },
};

/** Failing test files are run once more and the second result counts. The report names files that needed two runs. */
const defineTests = (title, projects, selectedPaths, options = []) => ({
  title,
  async run(runtime) {
    const first = await runVitest(runtime, title, [...options, ...selectProjects(projects), ...selectedPaths]);
    const brokenFiles = first.files.filter(isBroken).map(({ name }) => name);
    process.stdout.write(`\nLongest: ${listSlowest(first.files).join(", ")}\n`);
    if (brokenFiles.length === 0 || isStopping()) return countResults(first.files, first.code);
    process.stdout.write(`\n── once more: ${brokenFiles.map(relativeToRoot).join(", ")}\n`);
    const second = await runVitest(runtime, title, [...selectProjects(projects), ...brokenFiles]);
    process.stdout.write(
      describeFailures(first.files)
        .map((line) => `\nFailed at first: ${line}`)
        .join(""),
    );
    process.stdout.write(
      describeFailures(second.files)
        .map((line) => `\nFailed twice: ${line}`)
        .join(""),
    );
    return countResults([...first.files.filter((one) => !isBroken(one)), ...second.files], second.code);
  },
});

const selectProjects = (projects) => projects.flatMap((name) => ["--project", name]);

async function runVitest(runtime, title, selection) {
  const file = inBuild("test", `${title.replaceAll(" ", "-")}.json`);
  mkdirSync(path.dirname(file), { recursive: true });
  rmSync(file, { force: true });
  const options = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`, "--passWithNoTests"];
  const code = await runChild(runtime, [findProgram("vitest"), "run", ...options, ...selection], {
    // The workers, and the programs that tests start, are processes of their own: they share the compile cache.
    env: createEnvironment(runtime, { NODE_COMPILE_CACHE: inBuild("compile-cache") }),
  });
  return { code, files: JSON.parse(readText(file) || "{}").testResults ?? [] };
}

const isBroken = ({ status, assertionResults }) =>
  status === "failed" || assertionResults.some((one) => one.status === "failed");

const relativeToRoot = (file) => path.relative(inRoot("."), file);

/** Returns the slowest test files with their seconds: they determine the total duration. */
const listSlowest = (files) =>
  files
    .map(({ name, startTime, endTime }) => ({
      name: relativeToRoot(name),
      seconds: Math.round((endTime - startTime) / 1000),
    }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, 15)
    .map(({ name, seconds }) => `${name} ${seconds} s`);

/** Returns the names of the failed tests and the first line of each message. The full messages are printed above. */
const describeFailures = (files) =>
  files.filter(isBroken).flatMap(({ name, message, assertionResults }) => {
    const failedTests = assertionResults.filter((one) => one.status === "failed");
    const descriptions = failedTests.map((one) => `${one.fullName}: ${firstLine(one.failureMessages?.[0])}`);
    return (failedTests.length > 0 ? descriptions : [firstLine(message)]).map(
      (line) => `${relativeToRoot(name)}: ${line}`,
    );
  });

const firstLine = (text = "") => text.split("\n", 1)[0].slice(0, 300);

/** The counts in Vitest's report. A file that could not be loaded, or an error outside of tests, is a failure, too. */
function countResults(files, code) {
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

/** Runs the groups one after the other, and the steps of a group at the same time: the type check uses one core. */
async function report(runtime, groups) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const wrong = [];
  const took = [];
  const runStep = async ({ title, run }) => {
    const began = performance.now();
    const counts = await run(runtime);
    took.push(`${title} ${Math.round((performance.now() - began) / 1000)} s`);
    for (const key of Object.keys(total)) total[key] += counts[key];
    if (counts.failed > 0) wrong.push(title);
  };
  for (const steps of groups) {
    if (isStopping()) return 130;
    process.stdout.write(`\n── ${steps.map(({ title }) => title).join(", ")}\n`);
    await Promise.all(steps.map(runStep));
  }
  if (isStopping()) return 130;
  process.stdout.write(`\nTook: ${took.join(", ")}\n`);
  if (wrong.length > 0) process.stdout.write(`\nFailed: ${wrong.join(", ")}\n`);
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  return total.failed > 0 || total.passed === 0 ? 1 : 0;
}
