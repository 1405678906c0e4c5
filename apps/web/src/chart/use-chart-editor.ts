import { useEffect, useState } from "react";
import { z } from "zod";
import { chartCalls } from "@arcada/contract/chart/chart.calls";
import type { Chart } from "@arcada/contract/chart/chart.calls";
import { findChangedTeeth, mergeCharts, compareChanges } from "@arcada/contract/chart/chart.changes";
import type { ChartMerge } from "@arcada/contract/chart/chart.changes";
import { findTooth } from "@arcada/contract/chart/chart.rules";
import type { ChartProblem } from "@arcada/contract/chart/chart.rules";
import { chartContent } from "@arcada/contract/chart/chart.schema";
import type { ChartContent } from "@arcada/contract/chart/chart.schema";
import { allTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { deleteDraft, saveDraft, readDraft } from "../browser/drafts.ts";
import { isRefused } from "../data/call-errors.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { toToothInput } from "./chart-edit.ts";

/** Unsaved changes, with the version on which they are based. */
interface Draft {
  version: number;
  base: ChartContent;
  mine: ChartContent;
}
interface EditState extends Draft {
  past: ChartContent[];
  future: ChartContent[];
}

export interface ChartEditor {
  /** The chart with the unsaved changes. */
  content: ChartContent;
  changed: number[];
  /** True if unsaved changes were restored after a reload. */
  isRestored: boolean;
  busy: boolean;
  problems: ChartProblem[];
  /** Set if another user has saved since. */
  conflict: ChartMerge | null;
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
  merge: (keepMine: readonly number[]) => void;
  save: (content?: ChartContent) => Promise<void>;
}

const maxUndoSteps = 200;
const startEditing = ({ version, content }: Chart): EditState => ({
  version,
  base: content,
  mine: content,
  past: [],
  future: [],
});

/** The editing state of a patient's chart, based on the newest version from the server. */
export function useChartEditor(patientId: string, newest: Chart): ChartEditor {
  const t = useTexts("chart");
  const name = `chart.${patientId}`;
  const [found] = useState(() => readChartDraft(name));
  const [editState, setEditState] = useState<EditState | null>(found && { ...found, past: [], future: [] });
  const [isRestored, setRestored] = useState(found !== null);
  const saving = useCommand(chartCalls.save, { shownBy: "form" });
  const hasOwnChanges = editState !== null && findChangedTeeth(editState.base, editState.mine).length > 0;
  const current =
    editState && (hasOwnChanges || editState.version >= newest.version) ? editState : startEditing(newest);
  const changed = findChangedTeeth(current.base, current.mine);
  usePersistedDraft(name, current, changed.length > 0);

  const update = (next: EditState) => {
    setRestored(false);
    saving.clearRefusal();
    setEditState(next);
  };
  const step = (from: "past" | "future", to: "past" | "future") => {
    const content = current[from].at(-1);
    if (content)
      update({ ...current, mine: content, [from]: current[from].slice(0, -1), [to]: [...current[to], current.mine] });
  };
  const write = (content: ChartContent) => {
    if (content !== current.mine)
      update({ ...current, mine: content, past: [...current.past, current.mine].slice(-maxUndoSteps), future: [] });
  };
  return {
    content: current.mine,
    changed,
    isRestored: isRestored && changed.length > 0,
    busy: saving.busy,
    problems: getProblems(saving.refused),
    conflict:
      changed.length > 0 && newest.version > current.version
        ? compareChanges(current.base, current.mine, newest.content)
        : null,
    mayUndo: current.past.length > 0,
    mayRedo: current.future.length > 0,
    write,
    undo: () => step("past", "future"),
    redo: () => step("future", "past"),
    // Discarding can be undone as long as no other user has saved.
    discard: () => (newest.version > current.version ? update(startEditing(newest)) : write(current.base)),
    merge: (keepMine) => update(mergeInto(newest, current, keepMine)),
    async save(content = current.mine) {
      const teeth = findChangedTeeth(current.base, content).map((fdi) => toToothInput(findTooth(content, fdi)));
      if (teeth.length === 0) return;
      if (content !== current.mine) setEditState({ ...current, mine: content, past: [...current.past, current.mine] });
      const saved = await saving.run({ patientId, version: current.version, teeth });
      if (!saved) return;
      setRestored(false);
      setEditState((now) => rebaseAfterSave(saved.data, content, now));
      toast("success", t("chart.saved"));
    },
  };
}

/** Changes that were made while the save was under way are not saved yet. */
function rebaseAfterSave(saved: Chart, sent: ChartContent, now: EditState | null): EditState {
  if (!now || findChangedTeeth(sent, now.mine).length === 0) return startEditing(saved);
  return { ...startEditing(saved), mine: mergeCharts(sent, now.mine, saved.content, allTeeth), past: [saved.content] };
}

const getProblems = (refused: Error | null): ChartProblem[] =>
  isRefused(refused, "chartUnfit") ? (refused.details as { problems: ChartProblem[] }).problems : [];

/** Merges one's own changes into the newest chart. */
const mergeInto = (newest: Chart, { base, mine }: EditState, keepMine: readonly number[]): EditState => ({
  ...startEditing(newest),
  mine: mergeCharts(base, mine, newest.content, keepMine),
  past: [newest.content],
});

const draftSchema = z.object({ version: z.int(), base: chartContent, mine: chartContent });
function readChartDraft(name: string): Draft | null {
  const found = readDraft<Draft>(name, { version: 0, base: { teeth: [] }, mine: { teeth: [] } });
  const read = draftSchema.safeParse(found);
  return read.success ? read.data : null;
}

/** Keeps unsaved changes over a reload. */
function usePersistedDraft(name: string, { version, base, mine }: Draft, isChanged: boolean): void {
  useEffect(() => {
    if (isChanged) saveDraft(name, { version, base, mine });
    else deleteDraft(name);
  }, [name, version, base, mine, isChanged]);
}
