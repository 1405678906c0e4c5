import type { EngineInfo } from "@arcada/contract/analysis/observation";
import type { PackTrust } from "./engine-task.ts";
import { inProcess, type ChildFault } from "./engine-child.ts";

export interface ReadPack {
  info: EngineInfo;
  /** Text of `manifest.json`, as it was signed. */
  manifest: string;
  licence: string;
  /** The name of the trusted key that signed it; null: it is not signed. */
  signedBy: string | null;
}
export type PackAnswer = { pack: ReadPack } | ChildFault;

const lookMs = 60_000;
type Looked = Awaited<ReturnType<typeof inProcess>>;
/** Packs are read one after another: each may take as much memory as a run, and the installation of packs can wait. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Reads an engine pack and verifies it: sizes, sums, version of the interface, existing processing steps, permitted
 * codes, signature, and that the model loads. Nothing is unpacked to the disk and nothing in it is run.
 * @param path a zip archive
 */
export async function readPack(path: string, trust: PackTrust): Promise<PackAnswer> {
  const look = (): Promise<Looked> =>
    inProcess(
      { do: "look", path, trust },
      { timeoutMs: lookMs, signal: new AbortController().signal, onProgress: () => {} },
    );
  const looked = last.then(look, look);
  last = looked;
  const answer = await looked;
  if ("outcome" in answer) throw new Error("an outcome where a pack was asked for");
  return answer;
}
