import { QueryObserver } from "@tanstack/react-query";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import type { IngestJob } from "@arcada/contract/study/upload-job.calls";
import { send } from "../../data/ask.ts";
import { notifyCommandSuccess } from "../../data/command-success-and-ended-records.ts";
import { queryKeyOf, queryClient } from "../../data/query-client.ts";
import { isRefused } from "../../data/call-errors.ts";
import { loadTexts, getText } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { ingestJobs, omitKey } from "./upload-batches.ts";
import type { Batch } from "./upload-batches.ts";

/** Live events report the progress of a job; polling replaces them while the stream is unavailable. */
const pollMs = 4_000;
const stopByJob = new Map<string, () => void>();

interface FollowOptions {
  patient: Batch["patient"];
  /** True if it was started on this page, so that its end is reported. */
  isNew: boolean;
  onLost: () => void;
}

/** Follows a job until it ends, independently of the current page. */
export function watchJob(id: string, { patient, isNew, onLost }: FollowOptions): void {
  if (stopByJob.has(id)) return;
  const observer = new QueryObserver<IngestJob>(queryClient, {
    queryKey: queryKeyOf(uploadJobCalls.job, { id }),
    queryFn: ({ signal }) => send(uploadJobCalls.job, { id }, { signal }),
    refetchInterval: (query) => (isJobEnded(query.state.data) ? false : pollMs),
    refetchIntervalInBackground: true,
    meta: { shownBy: "page" },
  });
  const stop = observer.subscribe(({ data, error }) => {
    // Another tab has ended it, or the server has deleted the old job.
    if (!data && isRefused(error, "notFound")) return onLost();
    if (!data) return;
    const before = ingestJobs.get()[id];
    ingestJobs.set((now) => ({ ...now, [id]: data }));
    if (!isJobEnded(data) || (before && isJobEnded(before))) return;
    notifyCommandSuccess(uploadJobCalls.open);
    if (before || isNew) void notifyElsewhere(data, patient);
  });
  stopByJob.set(id, stop);
}

export function stopFollowing(id: string): void {
  stopByJob.get(id)?.();
  stopByJob.delete(id);
  ingestJobs.set((now) => omitKey(now, id));
}

const isJobEnded = (job: IngestJob | undefined): boolean =>
  job !== undefined && job.state !== "waiting" && job.state !== "running";

/** On the patient's own page the batch card already shows it. */
async function notifyElsewhere(job: IngestJob, { id, name }: Batch["patient"]): Promise<void> {
  if (new URLSearchParams(location.search).get("id") === id || job.state === "cancelled") return;
  await loadTexts("upload");
  if (job.questions.length > 0) toast("info", getText("upload.news.question", { name }));
  else if (job.state === "done") toast("success", getText("upload.news.done", { name }));
  else toast("error", getText("upload.news.failed", { name }));
}
