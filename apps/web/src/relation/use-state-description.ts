import type { Relation } from "@arcada/contract/relation/relation.calls";
import { formatDay } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";

/** Describes a relationship in one line: its state, and the side that began that state where it matters. */
export function useStateDescription(): (relation: Relation) => string {
  const t = useTexts("relation");
  return ({ state, mine, leftByUs, resumeUntil }) => {
    const name = t(`relation.state.${state}`);
    if (state === "requested") return `${name} · ${t(mine ? "relation.byUs" : "relation.byThem")}`;
    if (state !== "closing") return name;
    const left = t(leftByUs ? "relation.leftByUs" : "relation.leftByThem");
    return [name, left, resumeUntil && t("relation.resumeUntil", { day: formatDay(resumeUntil) })]
      .filter(Boolean)
      .join(" · ");
  };
}
