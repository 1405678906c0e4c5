import { useCallback, useEffect, useState } from "react";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { IngestJob } from "@arcada/contract/study/study.calls";
import { ask } from "../kernel/ask.ts";
import { changed } from "../kernel/changes.ts";
import { isRefused, RefusedAnswer } from "../kernel/refused.ts";
import { say } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { changeBatch } from "./upload-batches.ts";
import type { Batch } from "./upload-batches.ts";

/** Live events tell how far a job is; where the stream is away, asking now and then does. */
const askMs = 4_000;

interface BatchJob {
  job: IngestJob | undefined;
  /** Why there is no job; lost: there is nothing to try again. */
  problem: { text: string; isLost: boolean } | null;
  again: () => void;
}

/** Opens a batch that has no job yet, and follows the job. */
export function useBatchJob(batch: Batch): BatchJob {
  const [problem, setProblem] = useState<BatchJob["problem"]>(null);
  const [isOver, setOver] = useState(false);
  const query = useCall(
    studyCalls.job,
    { id: batch.job ?? "" },
    { enabled: batch.job !== null, ...(!isOver && { every: askMs }) },
  );
  const job = query.data;
  const ended = job !== undefined && job.state !== "waiting" && job.state !== "running";
  if (ended !== isOver) setOver(ended);
  useEffect(() => {
    if (ended) changed(studyCalls.open);
  }, [ended]);
  const start = useCallback(() => {
    if (batch.job) return;
    open(batch).then(
      ({ id }) => changeBatch(batch.key, { job: id }),
      (error: unknown) => setProblem(problemOf(error)),
    );
  }, [batch]);
  useEffect(start, [start]);
  const again = () => {
    setProblem(null);
    start();
  };
  const isGone = isRefused(query.error, "notFound") && !job;
  return { job, problem: isGone ? { text: "", isLost: true } : problem, again };
}

const opening = new Map<string, Promise<IngestJob>>();

/** A page that is drawn twice, or left and come back to, opens a batch once. */
function open({ key, patientId, uploads, kind, acceptMismatch }: Batch): Promise<IngestJob> {
  const known = opening.get(key);
  if (known) return known;
  const input = { patientId, uploads, acceptMismatch, ...(kind && { kind }) };
  const asked = ask(studyCalls.open, input, { idempotencyKey: key, shownBy: "form" }).finally(() =>
    opening.delete(key),
  );
  opening.set(key, asked);
  return asked;
}

function problemOf(error: unknown): BatchJob["problem"] {
  if (error instanceof RefusedAnswer) return { text: error.msg, isLost: false };
  return { text: say("common.network"), isLost: false };
}
