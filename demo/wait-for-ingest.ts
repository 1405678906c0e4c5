import type { IngestJob } from "@arcada/contract/study/upload-job.calls";

const intervalMs = 100;
const timeoutMs = 150_000;

/** Polls a job until it is done, failed or cancelled. */
export async function waitForIngest(read: () => Promise<IngestJob>): Promise<IngestJob> {
  for (const from = Date.now(); Date.now() - from < timeoutMs;) {
    const job = await read();
    if (job.state !== "waiting" && job.state !== "running") return job;
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
  throw new Error("an ingest did not end");
}
