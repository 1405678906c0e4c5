import path from "node:path";
import { startPostgres } from "../../../../apps/server/src/platform/postgres/embedded-postgres.ts";
import { prepareTemplate } from "../setup/postgres-setup.ts";

/** Makes a migrated cluster in a folder. */
const folder = process.argv[2] ?? "";
const embedded = await startPostgres({ folder: path.join(folder, "postgres"), settings: { fsync: "off" } });
await prepareTemplate(embedded.connection, folder);
await embedded.stop();
