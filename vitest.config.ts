import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

// Checked-out code is in these folders only; a build output must not be searched for tests.
const exclude = [...configDefaults.exclude, "**/.build/**", "**/dist/**"];

// These attack or kill the product for half a minute and more, or need a registry: `npm run proof` runs them. Most paths
// that they prove have a shorter test besides.
const longProofs = [
  "odd-dicom",
  "overload",
  "kill-bulk-export",
  "kill-hl7",
  "kill-ingest",
  "kill-intake",
  "kill-questions",
  "postgres-upgrade",
  "prometheus-and-alerts",
  "installation",
  "large-backup-under-kills",
  "restore-to-moment",
  "backup-bucket",
  "gateway-watched-folder",
  "lab-agent-exchange",
  "gateway-program",
  "nerve-canal-accuracy",
  "orthanc",
  "uploads-without-shared-disk",
  "mean-head-fit",
  "backup",
  "backup-nightly",
  "hostile-imports",
  "admin-commands",
  "training-pipeline",
];
// Journeys that take more than their share of the time; `npm run proof` runs them.
const longJourneys = [
  "stored-hostile-markup",
  "backup-health-page",
  "nerve-canal",
  "implant-plan",
  "hostile-files",
  "redirects-and-leaked-secrets",
  "photo-series",
];
const isFull = process.env.ARCADA_PROOF === "full";
const skippedProofs = isFull ? [] : longProofs.map((name) => `tests/proofs/${name}.test.ts`);
const skippedJourneys = isFull ? [] : longJourneys.map((name) => `tests/e2e/${name}.test.ts`);

// As `npm start` begins the product: its threads may sweep what they drop.
const execArgv = ["--expose-gc"];

// The slowest files on two cores, slowest first: a slow file that starts last would leave the other core idle.
const longest = [
  "e2e/every-screen.test",
  "e2e/journey-generated.test",
  "e2e/viewers.test",
  "e2e/order-collaboration.test",
  "e2e/upload.test",
  "e2e/institution-settings-and-export.test",
  "e2e/error-recovery.test",
  "e2e/shares.test",
  "e2e/integrations.test",
  "e2e/scan-viewer.test",
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
  "ingest/ingest.real.test",
  "mail/email-queue.test",
  "sign-in/codes-by-text-message.test",
  "report/report.test",
  "jobs/jobs.test",
  "trial/pack-trial.test",
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
    const projects = ["proof", "server", "unit"];
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
        oxc: { jsx: { runtime: "automatic" } },
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "apps/web/src/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"],
          exclude,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "server",
          execArgv,
          // Loading the server takes a third of a file's time: the files of one worker share its modules. What a file
          // opens is closed by `cleanUpAfterFile`.
          isolate: false,
          setupFiles: ["packages/testing/src/setup/before-each-test-file.ts"],
          globalSetup: ["packages/testing/src/setup/postgres-setup.ts"],
          include: ["apps/server/src/**/*.test.ts", "demo/**/*.test.ts"],
          exclude,
          expect: { poll: { timeout: 10_000 } },
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "proof",
          execArgv,
          isolate: false,
          setupFiles: ["packages/testing/src/setup/before-each-test-file.ts"],
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
