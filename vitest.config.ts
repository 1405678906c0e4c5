import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";
import { longJourneys, longProofs, longServerTests } from "./scripts/lib/long-tests.mjs";

// Checked-out code is in these folders only; a build output must not be searched for tests.
const exclude = [...configDefaults.exclude, "**/.build/**", "**/dist/**"];

const isFull = process.env.ARCADA_PROOF === "full";
const skippedProofs = isFull ? [] : longProofs.map((name) => `tests/proofs/${name}.test.ts`);
const skippedServerTests = isFull ? [] : longServerTests.map((name) => `apps/server/src/${name}.test.ts`);
const skippedJourneys = isFull ? [] : longJourneys.map((name) => `tests/e2e/${name}.test.ts`);

// As `npm start` begins the product: its threads may sweep what they drop.
const execArgv = ["--expose-gc"];

/**
 * Node loads these tests and what they test as it loads the product: it removes the types itself, and keeps the result
 * in its compile cache. Vite would transform every module once for each project and evaluate it without that cache.
 */
const loadedByNode = { experimental: { viteModuleRunner: false, nodeLoader: false } };

/**
 * Loading the server takes a third of a file's time: the files of one worker share its modules. What a file opens is
 * closed by `cleanUpAfterFile`.
 */
const sharedModules = { isolate: false, setupFiles: ["packages/testing/src/setup/before-each-test-file.ts"] };

// The slowest files on two cores, slowest first: a slow file that starts last would leave the other core idle.
const longest = [
  "e2e/every-screen.test",
  "e2e/journey-generated.test",
  "e2e/viewers.test",
  "e2e/order-collaboration.test",
  "e2e/upload.test",
  "e2e/institution-settings-and-export.test",
  "e2e/integrations.test",
  "e2e/inbox.test",
  "e2e/forwarding.test",
  "proofs/access-control.test",
  "proofs/kill-server.test",
  "proofs/release-upgrades.test",
  "proofs/multiple-processes.test",
  "proofs/regex-patterns.test",
  "proofs/session-revocation.test",
  "proofs/odd-values.test",
  "proofs/mutated-files.test",
  "sign-in/codes-by-text-message.test",
  "report/report.test",
  "jobs/jobs.test",
  "ingest/ingest.test",
  "stow/store-instances.test",
  "decoder-reference/decoders.test",
  "measure/measure-panorama.test",
  "phantom/src/dicom-validity.test",
];

/** The files of one project run together, because a worker is replaced when its project changes. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = ["proof", "server", "unit", "web"];
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const place = longest.findIndex((name) => moduleId.includes(`/${name}.ts`));
      return 1000 * projects.indexOf(project.name) + (place === -1 ? longest.length : place);
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    // One worker per core, where Vitest would leave one core free. `npm test` takes one more for the tests that wait for
    // a database, a clock or another process; a browser keeps its core busy.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...loadedByNode,
          ...sharedModules,
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude,
          testTimeout: 60_000,
        },
      },
      {
        // These replace globals of a browser before they load what they test, and some of it is JSX.
        oxc: { jsx: { runtime: "automatic" } },
        test: { name: "web", include: ["apps/web/src/**/*.test.{ts,tsx}"], exclude, testTimeout: 60_000 },
      },
      {
        test: {
          ...sharedModules,
          name: "server",
          execArgv,
          globalSetup: ["packages/testing/src/setup/postgres-setup.ts"],
          include: ["apps/server/src/**/*.test.ts", "demo/**/*.test.ts"],
          exclude: [...exclude, ...skippedServerTests],
          expect: { poll: { timeout: 10_000 } },
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...sharedModules,
          name: "proof",
          execArgv,
          globalSetup: ["packages/testing/src/setup/postgres-setup.ts"],
          include: ["tests/**/*.test.ts", "bench/**/*.test.ts"],
          exclude: [...exclude, ...skippedProofs, "tests/e2e/**"],
          expect: { poll: { timeout: 10_000 } },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          execArgv,
          globalSetup: ["tests/e2e/build-web-before-tests.ts"],
          include: ["tests/e2e/**/*.test.ts"],
          exclude: [...exclude, ...skippedJourneys],
          // An awaited element appears within a second on an idle machine; a busy one may take longer.
          expect: { poll: { timeout: 20_000 } },
          testTimeout: 300_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
