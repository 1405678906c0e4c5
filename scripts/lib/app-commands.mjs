import { isStopping, runChild, stopChildren } from "./child-process.mjs";
import { install, installEngineRuntime } from "./install.mjs";
import { keepRunning } from "./keep-running.mjs";
import { longJourneys, longServerTests, proofGroups, shortenedJourneys } from "./long-tests.mjs";
import { serverEnvironment } from "./memory-settings.mjs";
import { createUserError, inRoot } from "./paths.mjs";
import { createEnvironment, findRuntime, findProgram } from "./find-node-runtime.mjs";
import { runChecks, runTests } from "./checks.mjs";
import { buildServer, sourceMain } from "./build-server.mjs";
import { buildWeb } from "./build-web.mjs";

// All others run in an installation that has only what the product itself needs.
const developmentCommands = new Set(["dev", "test", "check", "bench", "proof", "release", "package", "exec"]);

/** Runs the command and returns the exit code. */
export async function runCommand(name, options) {
  const command = commands[name];
  if (!command) throw createUserError(`Usage: node scripts/app.mjs ${Object.keys(commands).join(" | ")}`);
  await install(developmentCommands.has(name) ? "development" : "start");
  return command(findRuntime(), options);
}

const commands = {
  async start(runtime, options) {
    await buildWeb(runtime);
    const run = (program) =>
      runChild(runtime, [program, ...options], { env: createEnvironment(runtime, serverEnvironment) });
    return keepRunning(run, { choose: () => buildServer(runtime), fallback: sourceMain });
  },
  /** Builds the web application without starting anything: images and service units start the server from its sources. */
  async build(runtime) {
    await buildWeb(runtime);
    return 0;
  },
  /** Starts the program that a clinic runs in its own network: docs/gateway.md. */
  gateway: (runtime, options) =>
    runChild(runtime, [inRoot("apps/server/src/gateway/main.ts"), ...options], {
      env: createEnvironment(runtime, serverEnvironment),
    }),
  /** Installs the native runtime of engine packs, which is faster: docs/analysis.md. */
  async "engine-runtime"() {
    await installEngineRuntime();
    process.stdout.write("Engine packs run with the native runtime now. 引擎包现在使用原生运行环境。\n");
    return 0;
  },
  /** Operator commands on a data folder: see the README's part on operation. */
  admin: (runtime, options) => runOperatorCommand(runtime, ["admin", ...options]),
  audit: (runtime, options) => runOperatorCommand(runtime, ["audit", ...options]),
  backup: (runtime, options) => runOperatorCommand(runtime, ["backup", ...options]),
  institution: (runtime, options) => runOperatorCommand(runtime, ["institution", ...options]),
  storage: (runtime, options) => runOperatorCommand(runtime, ["storage", ...options]),
  "package-key": (runtime, options) => runPackageCommand(runtime, ["package-key", ...options]),
  "sign-package": (runtime, options) => runPackageCommand(runtime, ["sign-package", ...options]),
  "verify-package": (runtime, options) => runPackageCommand(runtime, ["verify-package", ...options]),
  /** Signs an engine pack that comes with the product: docs/developer/release.md. */
  "sign-pack": (runtime, options) =>
    runInCallersFolder(runtime, "apps/server/src/analysis/packs/sign-pack.cli.ts", options),
  /** Tests an engine pack on labelled images: docs/analysis.md. */
  "try-pack": (runtime, options) =>
    runChild(runtime, [inRoot("apps/server/src/analysis/trial/pack-trial.cli.ts"), ...options], {
      env: createEnvironment(runtime, serverEnvironment),
    }),
  /** Starts the server, which restarts at every change of its sources, and Vite's server for the web. */
  async dev(runtime, options) {
    const env = createEnvironment(runtime, serverEnvironment);
    const children = [
      runChild(runtime, ["--watch", sourceMain, ...options], { env }),
      runChild(runtime, [findProgram("vite"), inRoot("apps/web")], { env }),
    ];
    const code = await Promise.race(children);
    if (!isStopping()) stopChildren("SIGTERM");
    await Promise.all(children);
    return code;
  },
  test: runTests,
  check: runChecks,
  bench: (runtime, options) =>
    runChild(runtime, [inRoot("bench/run.ts"), ...options], { env: createEnvironment(runtime, serverEnvironment) }),
  proof: (runtime, options) =>
    runChild(
      runtime,
      [findProgram("vitest"), "run", ...proofProjects, ...(options.length > 0 ? nameProofs(options) : proofFiles)],
      {
        env: createEnvironment(runtime, { ARCADA_PROOF: "full" }),
      },
    ),
  /** Makes the files of a release from this commit: docs/developer/release.md. */
  async release(runtime, options) {
    await buildWeb(runtime);
    return runChild(runtime, [inRoot("scripts/release/make-release.ts"), ...options], {
      env: createEnvironment(runtime),
    });
  },
  /** Packages the gateway as one program: docs/gateway.md. */
  package: (runtime, options) => runInCallersFolder(runtime, "scripts/package-gateway.ts", options),
  exec: (runtime, [program = "", ...options]) =>
    runChild(runtime, [...(program === "node" ? [] : [findProgram(program)]), ...options], {
      env: createEnvironment(runtime),
    }),
};

// Paths in these options are relative to the caller's folder.
const runOperatorCommand = (runtime, options) => runInCallersFolder(runtime, "apps/server/src/cli.ts", options);
const runInCallersFolder = (runtime, program, options) =>
  runChild(runtime, [inRoot(program), ...options], {
    env: createEnvironment(runtime, serverEnvironment),
    cwd: process.cwd(),
  });

/** Signs and verifies upgrade packages, without a server. */
const runPackageCommand = (runtime, options) =>
  runInCallersFolder(runtime, "apps/server/src/upgrade/package.cli.ts", options);

// The figures of a group would be those of its proofs beside each other, so they run one after another.
const nameProofs = (options) =>
  options.flatMap((option) => (proofGroups[option] ? ["--no-file-parallelism", ...proofGroups[option]] : [option]));

// Some proofs are located next to the code that they test.
const proofProjects = ["unit", "proof", "server", "e2e"].flatMap((name) => ["--project", name]);
const proofFiles = [
  "tests/proofs",
  ".race.",
  "platform/audit",
  "platform/jobs",
  "platform/storage/zip-writer",
  "dimse/receiver",
  "decoder-reference/mutate-file",
  "dicom/deidentify",
  ...longServerTests.map((name) => `apps/server/src/${name}.test`),
  ...[...longJourneys, ...shortenedJourneys].map((name) => `e2e/${name}.test`),
  // Unit tests with figures over many images.
  "analysis/src/measure/panorama",
  "analysis/src/measure/ruler",
  "analysis/src/ceph/plausible",
  "imaging/src/orientation",
];
