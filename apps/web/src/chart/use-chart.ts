import { useEffect, useState } from "react";
import { z } from "zod";
import { chartCalls } from "@arcada/contract/chart/chart.calls";
import type { Chart } from "@arcada/contract/chart/chart.calls";
import { changedTeeth, joined, meetingOf } from "@arcada/contract/chart/chart.changes";
import type { Meeting } from "@arcada/contract/chart/chart.changes";
import { toothIn } from "@arcada/contract/chart/chart.rules";
import type { ChartProblem } from "@arcada/contract/chart/chart.rules";
import { chartContent } from "@arcada/contract/chart/chart.shape";
import type { ChartContent } from "@arcada/contract/chart/chart.shape";
import { allTeeth } from "@arcada/contract/kernel/tooth";
import { dropDraft, keepDraft, readDraft } from "../kernel/kept-draft.ts";
import { isRefused } from "../kernel/refused.ts";
import { useTexts } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { useCommand } from "../kernel/use-command.ts";
import { wishOf } from "./chart-edit.ts";

/** Unsaved changes, with the version on which they are based. */
interface Draft {
  version: number;
  base: ChartContent;
  mine: ChartContent;
}
interface Writing extends Draft {
  past: ChartContent[];
  future: ChartContent[];
}

export interface ChartWriting {
  /** The chart with the unsaved changes. */
  content: ChartContent;
  changed: number[];
  /** True if unsaved changes were restored after a reload. */
  isFound: boolean;
  busy: boolean;
  problems: ChartProblem[];
  /** Set if another user has saved since. */
  meeting: Meeting | null;
  mayUndo: boolean;
  mayRedo: boolean;
  write: (content: ChartContent) => void;
  undo: () => void;
  redo: () => void;
  discard: () => void;
  /**
   * Continues from the current chart with my teeth merged in. For teeth that both have changed, mine are kept if they
   * are named here.
   */
  join: (keepMine: readonly number[]) => void;
  save: (content?: ChartContent) => Promise<void>;
}

const stepsMost = 200;
const fresh = ({ version, content }: Chart): Writing => ({
  version,
  base: content,
  mine: content,
  past: [],
  future: [],
});

/** The editing state of a patient's chart, based on the newest version from the server. */
export function useChartWriting(patientId: string, newest: Chart): ChartWriting {
  const t = useTexts("chart");
  const name = `chart.${patientId}`;
  const [found] = useState(() => readKept(name));
  const [held, setHeld] = useState<Writing | null>(found && { ...found, past: [], future: [] });
  const [isFound, setFound] = useState(found !== null);
  const saving = useCommand(chartCalls.save, { shownBy: "form" });
  const hasOwn = held !== null && changedTeeth(held.base, held.mine).length > 0;
  const writing = held && (hasOwn || held.version >= newest.version) ? held : fresh(newest);
  const changed = changedTeeth(writing.base, writing.mine);
  useKept(name, writing, changed.length > 0);

  const put = (next: Writing) => {
    setFound(false);
    saving.forget();
    setHeld(next);
  };
  const step = (from: "past" | "future", to: "past" | "future") => {
    const content = writing[from].at(-1);
    if (content)
      put({ ...writing, mine: content, [from]: writing[from].slice(0, -1), [to]: [...writing[to], writing.mine] });
  };
  const write = (content: ChartContent) => {
    if (content !== writing.mine)
      put({ ...writing, mine: content, past: [...writing.past, writing.mine].slice(-stepsMost), future: [] });
  };
  return {
    content: writing.mine,
    changed,
    isFound: isFound && changed.length > 0,
    busy: saving.busy,
    problems: problemsIn(saving.refused),
    meeting:
      changed.length > 0 && newest.version > writing.version
        ? meetingOf(writing.base, writing.mine, newest.content)
        : null,
    mayUndo: writing.past.length > 0,
    mayRedo: writing.future.length > 0,
    write,
    undo: () => step("past", "future"),
    redo: () => step("future", "past"),
    // Discarding can be undone as long as no other user has saved.
    discard: () => (newest.version > writing.version ? put(fresh(newest)) : write(writing.base)),
    join: (keepMine) => put(joinedTo(newest, writing, keepMine)),
    async save(content = writing.mine) {
      const teeth = changedTeeth(writing.base, content).map((fdi) => wishOf(toothIn(content, fdi)));
      if (teeth.length === 0) return;
      if (content !== writing.mine) setHeld({ ...writing, mine: content, past: [...writing.past, writing.mine] });
      const saved = await saving.run({ patientId, version: writing.version, teeth });
      if (!saved) return;
      setFound(false);
      setHeld((now) => afterSaving(saved.data, content, now));
      toast("success", t("chart.saved"));
    },
  };
}

/** Changes that were made while the save was under way are not saved yet. */
function afterSaving(saved: Chart, sent: ChartContent, now: Writing | null): Writing {
  if (!now || changedTeeth(sent, now.mine).length === 0) return fresh(saved);
  return { ...fresh(saved), mine: joined(sent, now.mine, saved.content, allTeeth), past: [saved.content] };
}

const problemsIn = (refused: Error | null): ChartProblem[] =>
  isRefused(refused, "chartUnfit") ? (refused.details as { problems: ChartProblem[] }).problems : [];

/** Merges one's own changes into the newest chart. */
const joinedTo = (newest: Chart, { base, mine }: Writing, keepMine: readonly number[]): Writing => ({
  ...fresh(newest),
  mine: joined(base, mine, newest.content, keepMine),
  past: [newest.content],
});

const kept = z.object({ version: z.int(), base: chartContent, mine: chartContent });
function readKept(name: string): Draft | null {
  const found = readDraft<Draft>(name, { version: 0, base: { teeth: [] }, mine: { teeth: [] } });
  const read = kept.safeParse(found);
  return read.success ? read.data : null;
}

/** Keeps unsaved changes over a reload. */
function useKept(name: string, { version, base, mine }: Draft, isChanged: boolean): void {
  useEffect(() => {
    if (isChanged) keepDraft(name, { version, base, mine });
    else dropDraft(name);
  }, [name, version, base, mine, isChanged]);
}
