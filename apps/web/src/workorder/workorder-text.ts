import type { WorkorderRow } from "@arcada/contract/workorder/workorder.schema";
import type { WorkorderState } from "@arcada/contract/workorder/workorder.lifecycle";
import type { useTexts } from "../i18n/texts.ts";

export const stateColours: Record<WorkorderState, string> = {
  new: "blue",
  in_progress: "brand",
  transfer_review: "orange",
  acceptance_review: "orange",
  finished: "green",
  closed: "gray",
};

type Translate = ReturnType<typeof useTexts>;
/** Returns the state as text. A void order is closed, but not done. */
export const getStateText = (t: Translate, { state, outcome }: Pick<WorkorderRow, "state" | "outcome">): string =>
  t(outcome === "void" ? "workorder.state.void" : `workorder.state.${state}`);

/** Returns the person or side for whom an order waits. */
export function getTurnText(t: Translate, { turn, assignee, state }: WorkorderRow, me: string): string | null {
  if (turn === null) return null;
  if (turn === "admin") return t(state === "new" ? "workorder.turn.unassigned" : "workorder.turn.admin");
  return assignee?.id === me ? t("workorder.turn.mine") : t("workorder.turn.assignee", { name: assignee?.name ?? "" });
}
