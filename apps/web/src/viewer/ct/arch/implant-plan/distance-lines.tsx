import type { Size } from "@arcada/imaging/view/image-view";
import { useTexts } from "../../../../i18n/texts.ts";
import { estimateTextWidth } from "../../../ui/viewport/text-boxes.ts";
import type { Implant } from "./implant-plan.ts";
import styles from "../arch-overlays.module.css";
import type { PlanProjection } from "./plan-projection.ts";
import { formatGapFigure, listDistances, isTooNear, type SafetyDistances } from "./plan-warnings.ts";

interface Props {
  implant: Implant;
  safetyDistances: SafetyDistances;
  /** If selected, all of its distances up to 10 mm are drawn, not only those that are too small. */
  isChosen: boolean;
  view: Pick<PlanProjection, "lineEnds" | "scale">;
  /** The size of the viewport, once it is known. */
  size: Size | null;
}

/** mm; a longer distance is irrelevant, and its line would cross the whole jaw. */
const maxShownMm = 10;
/** A line whose length on the screen is below this share of its true length leads out of the plane. */
const inPlaneShare = 0.95;
/** CSS pixels between a line and its length. */
const textGap = 6;

/**
 * The shortest distances from an implant to structures that it must not touch, with their lengths; dashed if a viewport
 * foreshortens them.
 */
export function DistanceLines({ implant, safetyDistances, isChosen, view, size }: Props) {
  const t = useTexts("viewer");
  return listDistances(implant, safetyDistances).map((gap) => {
    const isNear = isTooNear(gap, safetyDistances);
    const ends = gap.mm > 0 && (isNear || (isChosen && gap.mm <= maxShownMm)) ? view.lineEnds(gap) : null;
    if (!ends) return null;
    const [[ax, ay], [bx, by]] = ends;
    const text = `${isNear ? "⚠ " : ""}${t("viewer.unit.mm", { value: formatGapFigure(gap, safetyDistances) })}`;
    const right = Math.max(ax, bx) + textGap;
    const isCutOff = size !== null && right <= size.width && right + estimateTextWidth(text, 7.2, 13) > size.width;
    const isInPlane = Math.hypot(bx - ax, by - ay) >= inPlaneShare * gap.mm * view.scale;
    return (
      <g key={`${gap.kind} ${gap.isSuggested}`} aria-hidden>
        <path
          className={`${styles.gap} ${isInPlane ? "" : styles.gapProjected} ${isNear ? styles.gapNear : ""}`}
          d={`M${ax} ${ay}L${bx} ${by}`}
        />
        <text
          className={`${styles.gapWords} ${isNear ? styles.gapWordsNear : ""}`}
          x={isCutOff ? Math.min(ax, bx) - textGap : right}
          y={(ay + by) / 2 + 4}
          textAnchor={isCutOff ? "end" : "start"}
        >
          {text}
        </text>
      </g>
    );
  });
}
