import { useCallback, useEffect, useRef, useState } from "react";
import { reportCalls } from "@arcada/contract/report/report.calls";
import type { Report } from "@arcada/contract/report/report.calls";
import type { ReportForm } from "@arcada/contract/report/report.shape";
import { ask } from "../kernel/ask.ts";
import { keyOf, queryClient } from "../kernel/queries.ts";
import { isRefused } from "../kernel/refused.ts";

export type Keeping = "kept" | "keeping" | "waiting" | "failed" | "elsewhere";
export interface ReportDraft {
  form: ReportForm;
  change: (part: Partial<ReportForm>) => void;
  keeping: Keeping;
  /** Keeps what is not kept yet; answers the version that stands then, or null where it could not be kept. */
  settle: (seen?: boolean) => Promise<number | null>;
}

const pause = 900;

/** What a writer writes, kept by itself a moment after they pause; two who write at once are told, and nothing is overwritten. */
export function useReportDraft(report: Report): ReportDraft {
  const [form, setForm] = useState(report.form);
  const [keeping, setKeeping] = useState<Keeping>("kept");
  const version = useRef(report.version);
  const wanted = useRef<ReportForm | null>(null);
  const latest = useRef(report.form);
  const running = useRef<Promise<boolean> | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const keep = useCallback(
    async (seen: boolean): Promise<boolean> => {
      const sent = latest.current;
      wanted.current = null;
      setKeeping("keeping");
      try {
        const answer = await ask(reportCalls.save, { id: report.id, version: version.current, form: sent, seen });
        version.current = answer.version;
        queryClient.setQueryData(keyOf(reportCalls.detail, { id: report.id }), answer);
        setKeeping(wanted.current ? "waiting" : "kept");
        return true;
      } catch (error) {
        wanted.current ??= sent;
        setKeeping(isRefused(error, "reportChanged") ? "elsewhere" : "failed");
        return false;
      }
    },
    [report.id],
  );

  const settle = useCallback(
    async (seen = false): Promise<number | null> => {
      clearTimeout(timer.current);
      await running.current;
      if (!wanted.current && !seen) return version.current;
      running.current = keep(seen).finally(() => void (running.current = null));
      return (await running.current) ? version.current : null;
    },
    [keep],
  );

  const change = useCallback(
    (part: Partial<ReportForm>) => {
      latest.current = { ...latest.current, ...part };
      wanted.current = latest.current;
      setForm(latest.current);
      setKeeping("waiting");
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void settle(), pause);
    },
    [settle],
  );

  // Whoever leaves the page leaves nothing behind that is not kept.
  useEffect(() => () => void settle(), [settle]);
  // Somebody else has kept a newer one.
  useEffect(() => {
    if (!running.current && report.version > version.current) setKeeping("elsewhere");
  }, [report.version]);
  return { form, change, keeping, settle };
}
