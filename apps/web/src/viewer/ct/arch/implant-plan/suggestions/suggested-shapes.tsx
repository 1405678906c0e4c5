import { useTexts } from "../../../../../i18n/texts.ts";
import styles from "../../arch-overlays.module.css";
import type { PlanLayerProps } from "../plan-props.ts";

/** Suggested canals as beads, suggested teeth and jaws as thin outlines: nobody has confirmed them, and no handle moves them. */
export function SuggestedShapes({ arch, view }: PlanLayerProps) {
  const t = useTexts("implant");
  return (
    <>
      {arch.suggestedJaws.map(({ id, jaw, body }) => {
        const pieces = view.solidOutline(body);
        return pieces.length === 0 ? null : (
          <path
            key={id}
            className={styles.suggestedJaw}
            role="img"
            aria-label={t(`implant.suggested.jaw.${jaw}`)}
            d={pieces.map(([from, to]) => `M${from.join(",")}L${to.join(",")}`).join("")}
          />
        );
      })}
      {arch.suggestedCanals.map(({ annotation, tube, side }) => (
        <g key={annotation.id} className={styles.suggestedCanal} role="img" aria-label={t(`implant.suggested.${side}`)}>
          {view
            .discs(tube)
            .filter((_, at) => at % 8 === 0)
            .map(({ at: [x, y], radius }, at) => (
              <circle key={at} cx={x} cy={y} r={Math.max(1.5, radius)} />
            ))}
        </g>
      ))}
      {arch.suggestedTeeth.map(({ annotation, root }) => {
        const outline = view.rootOutline(root);
        return outline.length < 3 ? null : (
          <path
            key={annotation.id}
            className={styles.suggestedTooth}
            role="img"
            aria-label={t("implant.suggested.tooth")}
            d={`M${outline.map(([x, y]) => `${x},${y}`).join(" ")}Z`}
          />
        );
      })}
    </>
  );
}
