import { keepRunning } from "../../../../scripts/lib/keep-running.mjs";
import { runChild } from "../../../../scripts/lib/child-process.mjs";
import { inRoot } from "../../../../scripts/lib/paths.mjs";

// `npm start` does this after it has installed and built.
process.exit(
  await keepRunning(() => runChild(process.execPath, [inRoot("apps/server/src/main.ts")], { env: process.env })),
);
