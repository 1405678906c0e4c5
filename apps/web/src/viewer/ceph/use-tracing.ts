import { useCallback, useEffect, useReducer, useState } from "react";
import { cephCalls, type CephOpened } from "@arcada/contract/ceph/ceph.calls";
import type { CephContent, CephLandmark, CephImagePoint } from "@arcada/contract/ceph/ceph.schema";
import { deleteDraft, saveDraft, readDraft } from "../../browser/drafts.ts";
import { useCommand } from "../../data/use-command.ts";

export interface Tracing {
  content: CephContent;
  /** 0: nothing is saved. */
  version: number;
  isChanged: boolean;
  /** True if changes that were not saved before the page was left have been restored. */
  isDraftRestored: boolean;
  /** True if another user has saved since. */
  isStale: boolean;
  maySave: boolean;
  isSaving: boolean;
  canUndo: boolean;
  canRedo: boolean;
  place: (landmark: CephLandmark, spot: CephImagePoint) => void;
  remove: (landmark: CephLandmark) => void;
  /** Changes any other content; one step that can be undone. */
  change: (part: Partial<CephContent>) => void;
  undo: () => void;
  redo: () => void;
  save: () => Promise<void>;
  /** Makes an earlier version the basis of the next save. */
  restoreVersion: () => void;
  /** Called after the tracing was removed: nothing is saved any more, and the shown content could be saved anew. */
  reset: () => void;
}

interface TracingHistory {
  present: CephContent;
  past: readonly CephContent[];
  future: readonly CephContent[];
}
type HistoryStep = { to: CephContent } | "undo" | "redo";

const maxUndoSteps = 200;
/** Version of a draft that was deliberately made from an earlier state. */
const anyVersion = -2;

function applyStep({ present, past, future }: TracingHistory, step: HistoryStep): TracingHistory {
  if (step === "undo") {
    const before = past.at(-1);
    return before
      ? { present: before, past: past.slice(0, -1), future: [present, ...future] }
      : { present, past, future };
  }
  if (step === "redo") {
    const [after, ...rest] = future;
    return after ? { present: after, past: [...past, present], future: rest } : { present, past, future };
  }
  return { present: step.to, past: [...past.slice(1 - maxUndoSteps), present], future: [] };
}

interface Radiograph {
  studyId: string;
  instanceId: string;
}

/**
 * The state of a tracing: every change can be undone, unsaved changes outlive a reload, and a save is based on the
 * version that was loaded.
 */
export function useTracing(
  radiograph: Radiograph,
  record: CephOpened,
  empty: CephContent,
  isEarlier: boolean,
): Tracing {
  const draftName = `ceph.${radiograph.instanceId}`;
  const loadedVersion = record.tracing?.version ?? 0;
  const [saved, setSaved] = useState({ version: loadedVersion, content: record.tracing?.content ?? empty });
  const maySave = record.maySave && !isEarlier;
  const [restored] = useState(() => {
    const draft = maySave ? readDraft(draftName, { version: -1, content: empty }) : null;
    return draft?.version === loadedVersion || draft?.version === anyVersion ? draft.content : null;
  });
  const [history, step] = useReducer(applyStep, { present: restored ?? saved.content, past: [], future: [] });
  const { present } = history;
  const command = useCommand(cephCalls.save);
  const [isStale, setStale] = useState(false);
  const isChanged = JSON.stringify(present) !== JSON.stringify(saved.content);

  useEffect(() => {
    if (!maySave) return;
    if (isChanged) saveDraft(draftName, { version: saved.version, content: present });
    else deleteDraft(draftName);
  }, [maySave, isChanged, draftName, saved.version, present]);

  const change = useCallback((part: Partial<CephContent>) => step({ to: { ...present, ...part } }), [present]);
  return {
    content: present,
    version: saved.version,
    isChanged,
    isDraftRestored: restored !== null,
    isStale,
    maySave,
    isSaving: command.busy,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    place: (landmark, spot) => change({ landmarks: { ...present.landmarks, [landmark]: spot } }),
    remove: (landmark) => {
      const { [landmark]: _, ...landmarks } = present.landmarks;
      change({ landmarks });
    },
    change,
    undo: () => step("undo"),
    redo: () => step("redo"),
    save: async () => {
      const answer = await command.run({ ...radiograph, version: saved.version, content: present }, ({ status }) =>
        setStale(status === 409),
      );
      if (answer) setSaved({ version: answer.data.version, content: present });
    },
    restoreVersion: () => saveDraft(draftName, { version: anyVersion, content: present }),
    reset: () => {
      setSaved({ version: 0, content: empty });
      step({ to: empty });
    },
  };
}
