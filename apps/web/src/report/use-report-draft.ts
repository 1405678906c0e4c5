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
  /** Saves unsaved changes. Returns the resulting version, or null if saving failed. */
  settle: (seen?: boolean) => Promise<number | null>;
}

const pause = 900;

/**
 * A report draft that is saved 900 ms after the last change. Concurrent edits are detected, and nothing is overwritten.
 */
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

  // Save unsaved changes when the user leaves the page.
  useEffect(() => () => void settle(), [settle]);
  // Another user has saved a newer version.
  useEffect(() => {
    if (!running.current && report.version > version.current) setKeeping("elsewhere");
  }, [report.version]);
  return { form, change, keeping, settle };
}
