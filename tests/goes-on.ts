import { execFile } from "node:child_process";
import { appendFileSync, statSync } from "node:fs";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Goes on with a download, as people are told to, by curl; where a machine has none, by the range that curl asks for. */
export const goesOn = (file: string, address: string): Promise<unknown> =>
  run("curl", ["-sSf", "-C", "-", "-o", file, address]).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    const rest = await fetch(address, { headers: { range: `bytes=${statSync(file).size}-` } });
    appendFileSync(file, Buffer.from(await rest.arrayBuffer()));
  });
