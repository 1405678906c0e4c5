import { useEffect, useEffectEvent, useState } from "react";
import { chartCalls } from "@arcada/contract/chart/chart.calls";
import { chartRules, contradictsChart } from "@arcada/contract/chart/chart.rules";
import type { ChartContent } from "@arcada/contract/chart/chart.schema";
import { analysisCalls, type AnalysisDetail, type SeenObservation } from "@arcada/contract/analysis/analysis.calls";
import { notifyCommandSuccess } from "../data/command-success-and-ended-records.ts";
import { deleteDraft, saveDraft, readDraft } from "../browser/drafts.ts";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { isAwaitingInput, isTyping } from "../browser/typing-state.ts";
import { useCommand } from "../data/use-command.ts";
import {
  canEdit,
  choose,
  isContradicted,
  listConfirmable,
  toConfirmation,
  toDecisions,
  getCurrent,
  emptyReview,
  parseReviewKey,
  moveBy,
  undo,
  type Choice,
  type Review,
} from "./review-decisions.ts";

export interface ReviewController {
  /** The patient's tooth chart; undefined until it is here. */
  chart: ChartContent | undefined;
  review: Review;
  select: (id: string) => void;
  choose: (choice: Choice) => void;
  undo: () => void;
  moveBy: (by: 1 | -1) => void;
  /** True while the dialog to correct a suggestion is open. */
  isEditing: boolean;
  edit: (isOpen: boolean) => void;
  finish: () => Promise<void>;
  /** Accepts all certain teeth together with what was chosen one by one, and writes them into the chart. */
  confirm: () => Promise<void>;
  /** The number of teeth that `confirm` accepts. */
  confirmable: number;
  isBusy: boolean;
  /** False for a reader who may look at suggestions and not decide on them. */
  mayDecide: boolean;
}

/** The decisions on the suggestions of an analysis, made with buttons or one key each. A reload loses none of them. */
export function useReview(
  { id, patientId }: AnalysisDetail,
  suggestions: readonly SeenObservation[],
  chart: ChartContent | undefined,
): ReviewController {
  const t = useTexts("analysis", "refusals");
  const name = `analysis.${id}`;
  const [review, set] = useState<Review>(() => readDraft<Review>(name, emptyReview) ?? emptyReview);
  const [isEditing, edit] = useState(false);
  const mayDecide = useCanAccess(chartCalls.decide);
  const decide = useCommand(chartCalls.decide);
  const change = (next: Review) => {
    set(next);
    saveDraft(name, next);
  };
  const confirmable = listConfirmable(review, suggestions, chart).length;
  const controller: ReviewController = {
    chart,
    review,
    select: (one) => suggestions.some((other) => other.id === one) && change({ ...review, at: one }),
    choose: (choice) => {
      edit(false);
      if (isRefused(chart, getCurrent(review, suggestions), choice)) toast("error", t("refusals.toothContradicted"));
      else change(choose(review, suggestions, choice));
    },
    undo: () => change(undo(review)),
    moveBy: (by) => change(moveBy(review, suggestions, by)),
    isEditing,
    edit: (isOpen) => edit(isOpen && canEdit(getCurrent(review, suggestions))),
    finish: () => send(toDecisions(review), t("analysis.review.finished")),
    confirm: async () => {
      if (confirmable > 0 && !decide.busy)
        await send(toConfirmation(review, suggestions, chart), t("analysis.review.confirmed", { count: confirmable }));
    },
    confirmable,
    isBusy: decide.busy,
    mayDecide,
  };
  async function send(decisions: ReturnType<typeof toDecisions>, message: string): Promise<void> {
    for (let from = 0; from < decisions.length; from += chartRules.maxDecisions) {
      const some = decisions.slice(from, from + chartRules.maxDecisions);
      if (!(await decide.run({ patientId: patientId ?? "", decisions: some }))) return;
    }
    deleteDraft(name);
    set(emptyReview);
    // The decisions are also shown beside the suggestions.
    notifyCommandSuccess(analysisCalls.detail);
    toast("success", message);
  }
  useReviewKeys(controller, mayDecide && suggestions.length > 0 && !isEditing);
  return controller;
}

/** Says at once what the server would refuse together with all other decisions. */
function isRefused(chart: ChartContent | undefined, one: SeenObservation | undefined, choice: Choice): boolean {
  if (!chart || one?.target.kind !== "tooth") return false;
  if (choice.action === "renumber") return contradictsChart(chart, one.code, choice.fdi);
  return choice.action === "accept" && isContradicted(chart, one);
}

/** Handles letters and arrow keys, unless the user types or uses a control that handles arrow keys itself. */
function useReviewKeys(controller: ReviewController, isOn: boolean): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const key = parseReviewKey(event);
    const target = event.target instanceof Element ? event.target : null;
    if (!isOn || key === null || event.defaultPrevented || isTyping(event) || isAwaitingInput()) return;
    if (target?.closest("[role=dialog], [role=menu]")) return;
    // Enter on a button or link presses it.
    if (key === "confirm" && target?.closest("a, button, summary, [role=button]")) return;
    event.preventDefault();
    if (key === "confirm") void controller.confirm();
    else if (key === "accept") controller.choose({ action: "accept" });
    else if (key === "reject") controller.choose({ action: "reject", reason: null });
    else if (key === "edit") controller.edit(true);
    else if (key === "undo") controller.undo();
    else controller.moveBy(key === "next" ? 1 : -1);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handleKey(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
