import { useEffect, useState } from "react";
import { useStore } from "../../browser/external-store.ts";
import type { Order } from "@arcada/contract/order/order.calls";
import type { Draft } from "./order-draft.ts";
import { DraftSaver } from "./draft-saver.ts";
import type { DraftSaverState } from "./draft-saver.ts";

export interface DraftForm extends DraftSaverState {
  change: (change: Partial<Draft>) => void;
  saver: DraftSaver;
}

/** The draft of one page, saved automatically and on leaving. */
export function useDraft(initial: { draft: Draft; order: Order | null }, onCreated: (id: string) => void): DraftForm {
  const [saver] = useState(() => new DraftSaver(initial.draft, initial.order, onCreated));
  const state = useStore(saver.state);
  useEffect(() => {
    const onHide = () => {
      if (document.visibilityState === "hidden") void saver.save();
    };
    const onLeave = (event: BeforeUnloadEvent) => {
      if (saver.isDirty()) event.preventDefault();
    };
    document.addEventListener("visibilitychange", onHide);
    addEventListener("beforeunload", onLeave);
    return () => {
      document.removeEventListener("visibilitychange", onHide);
      removeEventListener("beforeunload", onLeave);
      void saver.save();
    };
  }, [saver]);
  return { ...state, change: (change) => saver.change(change), saver };
}
