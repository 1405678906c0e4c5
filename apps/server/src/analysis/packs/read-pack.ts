import type { PackTrust } from "../engines/engine-task-types.ts";
import { runInSandbox, type PackFault, type PackDescription } from "./pack-process.ts";

export type ReadPackResult = { pack: PackDescription } | PackFault;

const readTimeoutMs = 60_000;
type SandboxResult = Awaited<ReturnType<typeof runInSandbox>>;
/** Packs are read one after another: each may take as much memory as a run, and the installation of packs can wait. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Reads an engine pack and verifies it: sizes, sums, version of the interface, existing processing steps, permitted
 * codes, signature, and that the model loads. Nothing is unpacked to the disk and nothing in it is run.
 * @param path a zip archive
 */
export async function readPack(path: string, trust: PackTrust): Promise<ReadPackResult> {
  const readInSandbox = (): Promise<SandboxResult> =>
    runInSandbox(
      { do: "look", path, trust },
      { timeoutMs: readTimeoutMs, signal: new AbortController().signal, onProgress: () => {} },
    );
  const reading = last.then(readInSandbox, readInSandbox);
  last = reading;
  const answer = await reading;
  if ("outcome" in answer) throw new Error("an outcome where a pack was asked for");
  return answer;
}
