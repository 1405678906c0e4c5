import { moveDataFolder } from "../../../../apps/server/src/platform/runtime/move-data-folder.ts";

// A separate process, so that a test can kill it during the move.
const [from = "", to = "", how] = process.argv.slice(2);
await moveDataFolder({ from, to, copies: how === "copy", log: (line) => void process.stdout.write(`${line}\n`) });
