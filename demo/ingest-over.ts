import type { IngestJob } from "@arcada/contract/study/study.calls";

const every = 100;
const patience = 150_000;

/** Polls a job until it is done, failed or cancelled. */
export async function ingestOver(read: () => Promise<IngestJob>): Promise<IngestJob> {
  for (const from = Date.now(); Date.now() - from < patience;) {
    const job = await read();
    if (job.state !== "waiting" && job.state !== "running") return job;
    await new Promise((resolve) => setTimeout(resolve, every));
  }
  throw new Error("an ingest did not end");
}
