// Runs once as root when an image is built or a release is unpacked: its files are read-only later, so what the product
// writes beside its own code is written now.
import { mkdirSync } from "node:fs";

const { NODE_COMPILE_CACHE: cache } = process.env;
if (cache) mkdirSync(cache, { recursive: true });

// npm packages cannot contain symbolic links; the embedded PostgreSQL needs those of its libraries.
const { findBinaries } = await import("../../apps/server/src/platform/postgres/find-binaries.ts");
const { folder, major } = findBinaries();
process.stdout.write(`PostgreSQL ${major} in ${folder}\n`);

// Loading the modules fills the compile cache, without which each start translates some hundred files.
await import("../../apps/server/src/start.ts");
await import("../../apps/server/src/admin-commands.ts");
process.exit(0);
