import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { refuse } from "../../kernel/refuse.ts";
import { files, secret } from "../../kernel/services.ts";
import { workerPool } from "../../kernel/worker-pool.ts";
import type { WorkerPool } from "../../kernel/worker-pool.ts";
import type { CleanTask, Manner } from "./clean-task.ts";

let pool: WorkerPool<CleanTask, null> | undefined;
const threads = 2;

/** Lends a copy of an original without names, which is gone afterwards. Refuses what cannot be freed of them. */
export async function withClean<T>(
  original: { iid: string; sha256: string },
  manner: Manner,
  work: (at: string) => Promise<T>,
): Promise<T> {
  const { iid, sha256 } = original;
  const bytes = (await files().bytes("originals", iid, sha256)) ?? refuse("notFound");
  pool ??= workerPool(new URL("./clean-worker.ts", import.meta.url), threads, { maxOldGenerationSizeMb: 1024 });
  const workers = pool;
  const folder = await mkdtemp(path.join(tmpdir(), "arcada-clean-"));
  try {
    const out = path.join(folder, "copy");
    const answer = await files().local("originals", iid, sha256, (at) =>
      workers.run({ path: at, out, manner }, { timeoutMs: 30_000 + bytes / 2000 }),
    );
    if ("refusal" in answer) return refuse(answer.refusal);
    return await work(out);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A key for one purpose, from the house's secret: what is made with it cannot be made or undone by others. */
export const keyFor = (...purpose: readonly string[]): string =>
  createHmac("sha256", secret())
    .update(JSON.stringify(["outgoing", ...purpose]))
    .digest("hex");
