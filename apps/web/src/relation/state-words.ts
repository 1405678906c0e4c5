import type { Relation } from "@arcada/contract/relation/relation.calls";
import { showDay } from "../kernel/format.ts";
import { useTexts } from "../kernel/texts.ts";

/** How a relationship stands, in one line: its state, and who began that where it matters. */
export function useStateWords(): (relation: Relation) => string {
  const t = useTexts("relation");
  return ({ state, mine, leftByUs, resumeUntil }) => {
    const name = t(`relation.state.${state}`);
    if (state === "requested") return `${name} · ${t(mine ? "relation.byUs" : "relation.byThem")}`;
    if (state !== "closing") return name;
    const left = t(leftByUs ? "relation.leftByUs" : "relation.leftByThem");
    return [name, left, resumeUntil && t("relation.resumeUntil", { day: showDay(resumeUntil) })]
      .filter(Boolean)
      .join(" · ");
  };
}
