import type { Selectable } from "kysely";
import { findTrialFaults } from "@arcada/analysis/pack/engine-trial-figures";
import { trialFile, describeTrial, type EngineTrial } from "@arcada/contract/analysis/engine-trial";
import { refuse } from "../../platform/http/refuse.ts";
import { findSigner } from "../../platform/security/find-signer.ts";
import type { EnginePackTable } from "../../tables/schema.generated.ts";

type PackIdentity = Pick<Selectable<EnginePackTable>, "sha256">;

/**
 * Returns the trial of this pack from a trial file. The file does not say whether the trial was passed: that follows
 * from its figures here.
 * @param keys of the trusted signers of trials, `name=base64` each
 */
export function verifyTrial({ sha256 }: PackIdentity, file: string, keys: readonly string[]): EngineTrial {
  const { success, data } = trialFile.safeParse(parseJson(file));
  if (!success) return refuse("trialNone");
  const by = findSigner(Buffer.from(describeTrial(data)), data.signature, keys) ?? refuse("trialUntrusted");
  if (data.pack !== sha256) return refuse("trialOther", { engine: data.engine, version: data.version });
  const { set, at, figures } = data;
  return { set, at, figures, by, faults: findTrialFaults(figures) };
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(file) as unknown;
  } catch {
    return null;
  }
}
