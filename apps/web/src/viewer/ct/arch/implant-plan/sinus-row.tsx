import { formatNumber } from "../../../../i18n/format.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import type { Canal } from "./implant-plan.ts";
import styles from "./plan-panel.module.css";
import { PlanRowHeader } from "./plan-row-header.tsx";
import type { PlanParts } from "./plan-props.ts";

/** A drawn floor of a maxillary sinus. */
export function SinusRow({ controls, drawing, annotations, sinus }: PlanParts & { sinus: Canal }) {
  const t = useTexts("implant");
  const { annotation, points, side, tube } = sinus;
  return (
    <div className={drawing.chosen === annotation.id ? styles.chosen : styles.row}>
      <PlanRowHeader
        name={t(`implant.sinus.${side}`)}
        onChoose={() => {
          controls.setCrosshair(points[Math.floor(points.length / 2)] ?? controls.crosshair);
          drawing.choose(annotation.id);
        }}
        onRemove={() => annotations.remove(annotation.id)}
      />
      <span>{t("implant.sinus.length", { length: formatNumber(tube.line.length, 1) })}</span>
    </div>
  );
}
