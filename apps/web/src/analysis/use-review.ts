import { useEffect, useEffectEvent, useState } from "react";
import { chartCalls } from "@arcada/contract/chart/chart.calls";
import { chartRules } from "@arcada/contract/chart/chart.rules";
import { analysisCalls, type AnalysisDetail, type SeenObservation } from "@arcada/contract/analysis/analysis.calls";
import { findingOfCode } from "@arcada/contract/analysis/observation";
import { changed } from "../kernel/changes.ts";
import { dropDraft, keepDraft, readDraft } from "../kernel/kept-draft.ts";
import { useTexts } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { isAskingPerson, isTyping } from "../kernel/typing.ts";
import { useCommand } from "../kernel/use-command.ts";
import { choose, decisionsOf, lookedAt, noReview, reviewKey, step, undo, type Choice, type Review } from "./review.ts";

export interface ReviewHand {
  review: Review;
  lookAt: (id: string) => void;
  choose: (choice: Choice) => void;
  undo: () => void;
  step: (by: 1 | -1) => void;
  /** True while the dialog to correct a suggestion is open. */
  isEditing: boolean;
  edit: (isOpen: boolean) => void;
  finish: () => Promise<void>;
  isBusy: boolean;
}

/** The decisions on the suggestions of an analysis, made with buttons or one key each. A reload loses none of them. */
export function useReview({ id, patientId }: AnalysisDetail, suggestions: readonly SeenObservation[]): ReviewHand {
  const t = useTexts("analysis");
  const name = `analysis.${id}`;
  const [review, set] = useState<Review>(() => readDraft<Review>(name, noReview) ?? noReview);
  const [isEditing, edit] = useState(false);
  const decide = useCommand(chartCalls.decide);
  const change = (next: Review) => {
    set(next);
    keepDraft(name, next);
  };
  const hand: ReviewHand = {
    review,
    lookAt: (one) => suggestions.some((other) => other.id === one) && change({ ...review, at: one }),
    choose: (choice) => {
      edit(false);
      change(choose(review, suggestions, choice));
    },
    undo: () => change(undo(review)),
    step: (by) => change(step(review, suggestions, by)),
    isEditing,
    edit: (isOpen) => edit(isOpen && findingOfCode(lookedAt(review, suggestions)?.code ?? "") !== null),
    finish: async () => {
      const decisions = decisionsOf(review);
      for (let from = 0; from < decisions.length; from += chartRules.decisionsMost) {
        const some = decisions.slice(from, from + chartRules.decisionsMost);
        if (!(await decide.run({ patientId: patientId ?? "", decisions: some }))) return;
      }
      dropDraft(name);
      set(noReview);
      // The decisions are also shown beside the suggestions.
      changed(analysisCalls.detail);
      toast("success", t("analysis.review.finished"));
    },
    isBusy: decide.busy,
  };
  useReviewKeys(hand, suggestions.length > 0 && !isEditing);
  return hand;
}

/** Handles letters and arrow keys, unless the user types or uses a control that handles arrow keys itself. */
function useReviewKeys(hand: ReviewHand, isOn: boolean): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const key = reviewKey(event);
    const target = event.target instanceof Element ? event.target : null;
    if (!isOn || key === null || event.defaultPrevented || isTyping(event) || isAskingPerson()) return;
    if (target?.closest("[role=dialog], [role=menu]")) return;
    event.preventDefault();
    if (key === "accept") hand.choose({ action: "accept" });
    else if (key === "reject") hand.choose({ action: "reject", reason: null });
    else if (key === "edit") hand.edit(true);
    else if (key === "undo") hand.undo();
    else hand.step(key === "next" ? 1 : -1);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
