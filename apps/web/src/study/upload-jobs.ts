import { QueryObserver } from "@tanstack/react-query";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { IngestJob } from "@arcada/contract/study/study.calls";
import { send } from "../kernel/ask.ts";
import { changed } from "../kernel/changes.ts";
import { keyOf, queryClient } from "../kernel/queries.ts";
import { isRefused } from "../kernel/refused.ts";
import { loadTexts, say } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { answers, without } from "./upload-batches.ts";
import type { Batch } from "./upload-batches.ts";

/** Live events report the progress of a job; polling replaces them while the stream is unavailable. */
const askMs = 4_000;
const following = new Map<string, () => void>();

interface Following {
  patient: Batch["patient"];
  /** True if it was started on this page, so that its end is reported. */
  isNew: boolean;
  lost: () => void;
}

/** Follows a job until it ends, independently of the current page. */
export function follow(id: string, { patient, isNew, lost }: Following): void {
  if (following.has(id)) return;
  const observer = new QueryObserver<IngestJob>(queryClient, {
    queryKey: keyOf(studyCalls.job, { id }),
    queryFn: ({ signal }) => send(studyCalls.job, { id }, { signal }),
    refetchInterval: (query) => (hasEnded(query.state.data) ? false : askMs),
    refetchIntervalInBackground: true,
    meta: { shownBy: "page" },
  });
  const stop = observer.subscribe(({ data, error }) => {
    // Another tab has ended it, or the server has deleted the old job.
    if (!data && isRefused(error, "notFound")) return lost();
    if (!data) return;
    const before = answers.get()[id];
    answers.set((now) => ({ ...now, [id]: data }));
    if (!hasEnded(data) || (before && hasEnded(before))) return;
    changed(studyCalls.open);
    if (before || isNew) void tellElsewhere(data, patient);
  });
  following.set(id, stop);
}

export function stopFollowing(id: string): void {
  following.get(id)?.();
  following.delete(id);
  answers.set((now) => without(now, id));
}

const hasEnded = (job: IngestJob | undefined): boolean =>
  job !== undefined && job.state !== "waiting" && job.state !== "running";

/** On the patient's own page the batch card already shows it. */
async function tellElsewhere(job: IngestJob, { id, name }: Batch["patient"]): Promise<void> {
  if (new URLSearchParams(location.search).get("id") === id || job.state === "cancelled") return;
  await loadTexts("upload");
  if (job.questions.length > 0) toast("info", say("upload.news.question", { name }));
  else if (job.state === "done") toast("success", say("upload.news.done", { name }));
  else toast("error", say("upload.news.failed", { name }));
}
