// Runs once while an image is built, as root: its file system may be read-only later, so what the product writes beside
// its own code is written now.
import { mkdirSync } from "node:fs";

mkdirSync(process.env.NODE_COMPILE_CACHE, { recursive: true });

// npm packages cannot contain symbolic links; the embedded PostgreSQL needs those of its libraries.
const { findBinaries } = await import("../../apps/server/src/platform/postgres/find-binaries.ts");
const { folder, major } = findBinaries();
process.stdout.write(`PostgreSQL ${major} in ${folder}\n`);

// Loading the modules fills the compile cache, without which each start translates some hundred files.
await import("../../apps/server/src/start.ts");
await import("../../apps/server/src/admin.ts");
process.exit(0);
