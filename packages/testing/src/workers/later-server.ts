// Runs the server with further migrations, as a later version would.
import { readConfig } from "../../../../apps/server/src/platform/runtime/config.ts";
import { start } from "../../../../apps/server/src/start.ts";
import { present } from "../require-present.ts";

const running = await start(readConfig(), { migrations: present(process.env["LATER_MIGRATIONS"]) });
process.once("SIGTERM", () => void running.stop().then(() => process.exit(0)));
process.stdout.write("Arcada is ready\n");
