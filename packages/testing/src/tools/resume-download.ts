import { execFile } from "node:child_process";
import { appendFileSync, statSync } from "node:fs";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Resumes a download by curl, as the documentation tells people to; on a machine without curl by the range that curl
 * would request.
 */
export const resumeDownload = (file: string, address: string): Promise<unknown> =>
  run("curl", ["-sSf", "-C", "-", "-o", file, address]).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    const rest = await fetch(address, { headers: { range: `bytes=${statSync(file).size}-` } });
    appendFileSync(file, Buffer.from(await rest.arrayBuffer()));
  });
