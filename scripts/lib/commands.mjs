import { isStopping, runChild, stopChildren } from "./child-process.mjs";
import { install } from "./install.mjs";
import { keepRunning } from "./keep-running.mjs";
import { lean } from "./memory-settings.mjs";
import { failure, inRoot } from "./paths.mjs";
import { environmentFor, findRuntime, programOf } from "./node-runtime.mjs";
import { runChecks, runTests } from "./checks.mjs";
import { buildWeb } from "./build-web.mjs";

/** Runs the command and returns the exit code. */
export async function runVerb(name, options) {
  const verb = verbs[name];
  if (!verb) throw failure(`Usage: node scripts/app.mjs ${Object.keys(verbs).join(" | ")}`);
  await install();
  return verb(findRuntime(), options);
}

const verbs = {
  async start(runtime, options) {
    await buildWeb(runtime);
    return keepRunning(() => runChild(runtime, [server, ...options], { env: environmentFor(runtime, lean) }));
  },
  /** Starts the program that a clinic runs in its own network: docs/gateway.md. */
  gateway: (runtime, options) =>
    runChild(runtime, [inRoot("apps/server/src/gateway/main.ts"), ...options], {
      env: environmentFor(runtime, lean),
    }),
  /** Operator commands on a data folder: see the README's part on operation. */
  audit: (runtime, options) => operates(runtime, ["audit", ...options]),
  institution: (runtime, options) => operates(runtime, ["institution", ...options]),
  storage: (runtime, options) => operates(runtime, ["storage", ...options]),
  "package-key": (runtime, options) => packages(runtime, ["package-key", ...options]),
  "sign-package": (runtime, options) => packages(runtime, ["sign-package", ...options]),
  "verify-package": (runtime, options) => packages(runtime, ["verify-package", ...options]),
  /** Tests an engine pack on labelled images: docs/analysis.md. */
  "try-pack": (runtime, options) =>
    runChild(runtime, [inRoot("apps/server/src/analysis/trial/trial.cli.ts"), ...options], {
      env: environmentFor(runtime, lean),
    }),
  /** Starts the server, which restarts at every change of its sources, and Vite's server for the web. */
  async dev(runtime, options) {
    const env = environmentFor(runtime, lean);
    const both = [
      runChild(runtime, ["--watch", server, ...options], { env }),
      runChild(runtime, [programOf("vite"), inRoot("apps/web")], { env }),
    ];
    const code = await Promise.race(both);
    if (!isStopping()) stopChildren("SIGTERM");
    await Promise.all(both);
    return code;
  },
  test: runTests,
  check: runChecks,
  bench: (runtime, options) =>
    runChild(runtime, [inRoot("bench/run.ts"), ...options], { env: environmentFor(runtime, lean) }),
  proof: (runtime, options) =>
    runChild(runtime, [programOf("vitest"), "run", ...proofs, ...(options.length > 0 ? options : proofFiles)], {
      env: environmentFor(runtime, { ARCADA_PROOF: "full" }),
    }),
  exec: (runtime, [program = "", ...options]) =>
    runChild(runtime, [...(program === "node" ? [] : [programOf(program)]), ...options], {
      env: environmentFor(runtime),
    }),
};

// Paths in these options are relative to the caller's folder.
const operates = (runtime, options) => here(runtime, "apps/server/src/cli.ts", options);
const here = (runtime, program, options) =>
  runChild(runtime, [inRoot(program), ...options], { env: environmentFor(runtime, lean), cwd: process.cwd() });

/** Signs and verifies upgrade packages, without a server. */
const packages = (runtime, options) => here(runtime, "apps/server/src/upgrade/package.cli.ts", options);

// Some proofs are located next to the code that they test.
const proofs = ["unit", "proof", "server", "e2e"].flatMap((name) => ["--project", name]);
const proofFiles = [
  "tests/proofs",
  ".race.",
  "platform/audit",
  "platform/jobs",
  "platform/storage/zip.test",
  "dimse/receiver",
  "decoder-reference/mutated",
  "dicom/deidentify",
  "e2e/every-screen",
];
const server = inRoot("apps/server/src/main.ts");
