import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { EngineFault } from "@arcada/analysis/engine";
import type { EngineReason } from "@arcada/contract/analysis/engine-reasons";
import type { EngineFaultName, EngineInfo } from "@arcada/contract/analysis/observation";
import { logEvent } from "../../platform/telemetry/log.ts";
import { openPack } from "../packs/pack-file.ts";
import type { PackTrust } from "./engine-task-types.ts";

/** The folder of the packs that come with the product, and who may have signed them. */
export interface IncludedPacks {
  folder: string;
  trust: PackTrust;
}
export interface IncludedPack {
  path: string;
  info: EngineInfo;
  signedBy: string | null;
}
/** A file of the folder that is no pack, or not one that a trusted key has signed. It never runs. */
export interface RefusedPack {
  file: string;
  fault: EngineFaultName;
  reason: EngineReason | null;
}

/** More files than that are not looked at: the folder belongs to the installation, and a mistake must not fill memory. */
const maxFiles = 20;

/**
 * Returns the packs of the folder, one for each id, and the files that were refused. A pack is read again only after its
 * file was changed, its rights included; a refused file after some seconds, too. The result serves display and choice:
 * the process of a run verifies the file once more.
 */
export async function readIncludedPacks({
  folder,
  trust,
}: IncludedPacks): Promise<{ packs: IncludedPack[]; refused: RefusedPack[] }> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".zip")).toSorted();
  const found = await Promise.all(names.slice(0, maxFiles).map((name) => readOnce(path.join(folder, name), trust)));
  const packs = new Map<string, IncludedPack>();
  // If two files have one id, the last name counts, so that the choice does not depend on the order of the disk.
  for (const one of found) if ("info" in one) packs.set(one.info.id, one);
  return { packs: [...packs.values()], refused: found.filter((one) => "fault" in one) };
}

type ReadFile = IncludedPack | RefusedPack;
const known = new Map<string, { state: string; result: Promise<ReadFile> }>();

async function readOnce(file: string, trust: PackTrust): Promise<ReadFile> {
  const found = await stat(file).catch(() => null);
  const state = [found?.mtimeMs, found?.ctimeMs, found?.size, found?.ino, trust.keys.join()].join(" ");
  const before = known.get(file);
  if (before?.state === state) return before.result;
  const result = readFileOnce(file, trust);
  known.set(file, { state, result });
  const read = await result;
  if ("fault" in read) forgetLater(file, result);
  return read;
}

/** The cause may be gone although the file is the same; the delay keeps the log from filling with its fault. */
function forgetLater(file: string, result: Promise<ReadFile>): void {
  const forget = () => known.get(file)?.result === result && known.delete(file);
  setTimeout(forget, retryMs).unref();
}
const retryMs = 10_000;

async function readFileOnce(file: string, trust: PackTrust): Promise<ReadFile> {
  try {
    const { info, signedBy } = await openPack(file, trust);
    return { path: file, info, signedBy };
  } catch (error) {
    const { fault, reason, message } =
      error instanceof EngineFault ? error : new EngineFault("packInvalid", String(error), "notAnArchive");
    logEvent("warn", "included pack", message, { file: path.basename(file), fault });
    return { file: path.basename(file), fault, reason };
  }
}
