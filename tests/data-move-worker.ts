import { moveData } from "../apps/server/src/kernel/data-move.ts";

// As a process of its own, so that it can be killed while it moves.
const [from = "", to = "", how] = process.argv.slice(2);
await moveData({ from, to, copies: how === "copy", say: (line) => void process.stdout.write(`${line}\n`) });
