import { useCallback, useEffect, useReducer, useState } from "react";
import { cephCalls, type CephOpened } from "@arcada/contract/ceph/ceph.calls";
import type { CephContent, CephLandmark, CephSpot } from "@arcada/contract/ceph/ceph.shape";
import { dropDraft, keepDraft, readDraft } from "../../kernel/kept-draft.ts";
import { useCommand } from "../../kernel/use-command.ts";

export interface Tracing {
  content: CephContent;
  /** 0: nothing is saved. */
  version: number;
  isChanged: boolean;
  /** True if changes that were not saved before the page was left have been restored. */
  isFound: boolean;
  /** True if another user has saved since. */
  isStale: boolean;
  maySave: boolean;
  isSaving: boolean;
  canUndo: boolean;
  canRedo: boolean;
  place: (landmark: CephLandmark, spot: CephSpot) => void;
  remove: (landmark: CephLandmark) => void;
  /** Changes any other content; one step that can be undone. */
  change: (part: Partial<CephContent>) => void;
  undo: () => void;
  redo: () => void;
  save: () => Promise<void>;
  /** Makes an earlier version the basis of the next save. */
  bringBack: () => void;
  /** Called after the tracing was removed: nothing is saved any more, and the shown content could be saved anew. */
  restart: () => void;
}

interface History {
  now: CephContent;
  past: readonly CephContent[];
  future: readonly CephContent[];
}
type Step = { to: CephContent } | "undo" | "redo";

const stepsMost = 200;
/** Version of a draft that was deliberately made from an earlier state. */
const ofAnyVersion = -2;

function stepped({ now, past, future }: History, step: Step): History {
  if (step === "undo") {
    const before = past.at(-1);
    return before ? { now: before, past: past.slice(0, -1), future: [now, ...future] } : { now, past, future };
  }
  if (step === "redo") {
    const [after, ...rest] = future;
    return after ? { now: after, past: [...past, now], future: rest } : { now, past, future };
  }
  return { now: step.to, past: [...past.slice(1 - stepsMost), now], future: [] };
}

interface Film {
  studyId: string;
  instanceId: string;
}

/**
 * The state of a tracing: every change can be undone, unsaved changes outlive a reload, and a save is based on the
 * version that was loaded.
 */
export function useTracing(film: Film, opened: CephOpened, empty: CephContent, isEarlier: boolean): Tracing {
  const draftName = `ceph.${film.instanceId}`;
  const seen = opened.tracing?.version ?? 0;
  const [saved, setSaved] = useState({ version: seen, content: opened.tracing?.content ?? empty });
  const maySave = opened.maySave && !isEarlier;
  const [found] = useState(() => {
    const draft = maySave ? readDraft(draftName, { version: -1, content: empty }) : null;
    return draft?.version === seen || draft?.version === ofAnyVersion ? draft.content : null;
  });
  const [history, step] = useReducer(stepped, { now: found ?? saved.content, past: [], future: [] });
  const { now } = history;
  const command = useCommand(cephCalls.save);
  const [isStale, setStale] = useState(false);
  const isChanged = JSON.stringify(now) !== JSON.stringify(saved.content);

  useEffect(() => {
    if (!maySave) return;
    if (isChanged) keepDraft(draftName, { version: saved.version, content: now });
    else dropDraft(draftName);
  }, [maySave, isChanged, draftName, saved.version, now]);

  const change = useCallback((part: Partial<CephContent>) => step({ to: { ...now, ...part } }), [now]);
  return {
    content: now,
    version: saved.version,
    isChanged,
    isFound: found !== null,
    isStale,
    maySave,
    isSaving: command.busy,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    place: (landmark, spot) => change({ landmarks: { ...now.landmarks, [landmark]: spot } }),
    remove: (landmark) => {
      const { [landmark]: _, ...landmarks } = now.landmarks;
      change({ landmarks });
    },
    change,
    undo: () => step("undo"),
    redo: () => step("redo"),
    save: async () => {
      const answer = await command.run({ ...film, version: saved.version, content: now }, ({ status }) =>
        setStale(status === 409),
      );
      if (answer) setSaved({ version: answer.data.version, content: now });
    },
    bringBack: () => keepDraft(draftName, { version: ofAnyVersion, content: now }),
    restart: () => {
      setSaved({ version: 0, content: empty });
      step({ to: empty });
    },
  };
}
