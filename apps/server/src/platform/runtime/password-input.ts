import { readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { StartError } from "./config.ts";

/** Asks for a new password twice, at a terminal. Nothing of it is shown. */
export async function promptPassword(): Promise<string> {
  if (!process.stdin.isTTY) throw new StartError("--prompt needs a terminal. Use --password-file in a script.");
  const first = await promptHidden("New password: ");
  if (first !== (await promptHidden("The same again: "))) throw new StartError("The two passwords differ.");
  return first;
}

async function promptHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await reader.question("");
  } finally {
    reader.close();
    process.stderr.write("\n");
  }
}

/** Reads a password from a file: an argument would be visible to every user of the machine. */
export function readPasswordFile(file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    throw new StartError(`The password file ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}
