import { moveData } from "../apps/server/src/platform/runtime/data-move.ts";

// A separate process, so that a test can kill it during the move.
const [from = "", to = "", how] = process.argv.slice(2);
await moveData({ from, to, copies: how === "copy", say: (line) => void process.stdout.write(`${line}\n`) });
