import { useCallback, useEffect, useRef, useState } from "react";
import { reportCalls } from "@arcada/contract/report/report.calls";
import type { Report } from "@arcada/contract/report/report.calls";
import type { ReportForm } from "@arcada/contract/report/report.schema";
import { ask } from "../data/ask.ts";
import { queryKeyOf, queryClient } from "../data/query-client.ts";
import { isRefused } from "../data/call-errors.ts";

export type SaveState = "kept" | "keeping" | "waiting" | "failed" | "elsewhere";
export interface ReportDraft {
  form: ReportForm;
  change: (part: Partial<ReportForm>) => void;
  saveState: SaveState;
  /** Saves unsaved changes. Returns the resulting version, or null if saving failed. */
  saveNow: (seen?: boolean) => Promise<number | null>;
}

const saveDelayMs = 900;

/**
 * A report draft that is saved 900 ms after the last change. Concurrent edits are detected, and nothing is overwritten.
 */
export function useReportDraft(report: Report): ReportDraft {
  const [form, setForm] = useState(report.form);
  const [saveState, setSaveState] = useState<SaveState>("kept");
  const version = useRef(report.version);
  const unsaved = useRef<ReportForm | null>(null);
  const latest = useRef(report.form);
  const running = useRef<Promise<boolean> | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const send = useCallback(
    async (seen: boolean): Promise<boolean> => {
      const sent = latest.current;
      unsaved.current = null;
      setSaveState("keeping");
      try {
        const answer = await ask(reportCalls.save, { id: report.id, version: version.current, form: sent, seen });
        version.current = answer.version;
        queryClient.setQueryData(queryKeyOf(reportCalls.detail, { id: report.id }), answer);
        setSaveState(unsaved.current ? "waiting" : "kept");
        return true;
      } catch (error) {
        unsaved.current ??= sent;
        setSaveState(isRefused(error, "reportChanged") ? "elsewhere" : "failed");
        return false;
      }
    },
    [report.id],
  );

  const saveNow = useCallback(
    async (seen = false): Promise<number | null> => {
      clearTimeout(timer.current);
      await running.current;
      if (!unsaved.current && !seen) return version.current;
      running.current = send(seen).finally(() => void (running.current = null));
      return (await running.current) ? version.current : null;
    },
    [send],
  );

  const change = useCallback(
    (part: Partial<ReportForm>) => {
      latest.current = { ...latest.current, ...part };
      unsaved.current = latest.current;
      setForm(latest.current);
      setSaveState("waiting");
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void saveNow(), saveDelayMs);
    },
    [saveNow],
  );

  // Save unsaved changes when the user leaves the page.
  useEffect(() => () => void saveNow(), [saveNow]);
  // Another user has saved a newer version.
  useEffect(() => {
    if (!running.current && report.version > version.current) setSaveState("elsewhere");
  }, [report.version]);
  return { form, change, saveState, saveNow };
}
