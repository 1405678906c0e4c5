import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { DeidentifiedCopy } from "../../platform/http/zip-archive-routes.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { files, secret } from "../../platform/runtime/services.ts";
import { workerPool } from "../../platform/runtime/worker-pool.ts";
import type { WorkerPool } from "../../platform/runtime/worker-pool.ts";
import type { DeidentifyTask, SerializedDeidentifyOptions } from "./deidentify-worker-message.ts";

let pool: WorkerPool<DeidentifyTask, null> | undefined;
const threads = 2;

/** Makes a de-identified copy of an original; the caller must drop it. Refuses files that cannot be de-identified. */
export async function makeDeidentifiedCopy(
  sourceFile: { iid: string; sha256: string },
  deidentifyOptions: SerializedDeidentifyOptions,
): Promise<DeidentifiedCopy> {
  const { iid, sha256 } = sourceFile;
  const bytes = (await files().bytes("originals", iid, sha256)) ?? refuse("notFound");
  pool ??= workerPool(new URL("./deidentify.worker.ts", import.meta.url), threads, { maxOldGenerationSizeMb: 1024 });
  const workers = pool;
  const folder = await mkdtemp(path.join(tmpdir(), "arcada-clean-"));
  const drop = () => rm(folder, { recursive: true, force: true });
  try {
    const out = path.join(folder, "copy");
    const answer = await files().local("originals", iid, sha256, (at) =>
      workers.run({ path: at, out, manner: deidentifyOptions }, { timeoutMs: 30_000 + bytes / 2000 }),
    );
    if ("refusal" in answer) refuse(answer.refusal);
    return { path: out, discard: drop };
  } catch (error) {
    await drop();
    throw error;
  }
}

/** Passes such a copy to `work` and removes it afterwards. */
export async function withDeidentifiedCopy<T>(
  sourceFile: { iid: string; sha256: string },
  deidentifyOptions: SerializedDeidentifyOptions,
  work: (at: string) => Promise<T>,
): Promise<T> {
  const copy = await makeDeidentifiedCopy(sourceFile, deidentifyOptions);
  try {
    return await work(copy.path);
  } finally {
    await copy.discard();
  }
}

/** Derives a key for one purpose from the instance's secret: others cannot make or reverse what is made with it. */
export const deriveKey = (...purpose: readonly string[]): string =>
  createHmac("sha256", secret())
    .update(JSON.stringify(["outgoing", ...purpose]))
    .digest("hex");
