import { minus, normalize } from "@arcada/imaging/geometry/vector";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { PointHandle } from "../../../../annotations/layer/point-handle.tsx";
import { useTexts } from "../../../../../i18n/texts.ts";
import type { Implant } from "../implant-plan.ts";
import { formatImplantName } from "../implant-name.ts";
import type { PlanLayerProps } from "../plan-props.ts";
import { getCrownAxisEnd, listAttachmentBodies } from "./attachment-bodies.ts";
import { putAttachments } from "./implant-attachments.ts";
import styles from "../../arch-overlays.module.css";

/** Abutment, sleeve and crown axis of an implant in a viewport; the axis of the selected implant has a handle. */
export function AttachmentShapes({
  arch,
  drawing,
  view,
  implant,
  number,
}: PlanLayerProps & { implant: Implant; number: number }) {
  const t = useTexts("viewer", "implant");
  const { annotation, body } = implant;
  const isChosen = drawing.chosen === annotation.id;
  const end = getCrownAxisEnd(implant);
  const move = (to: Point2D, isOver: boolean) => {
    if (!end) return;
    const axis = normalize(minus(view.dragPoint(end, to), body.head));
    arch.alter(putAttachments(annotation, { crown: { from: "hand", axis } }), isOver);
  };
  const isAxisShown = end !== null && view.isNear(body.head) && view.isNear(end);
  return (
    <g>
      {listAttachmentBodies(implant).map((part, at) => (
        <path key={at} className={styles[part.kind]} d={toClosedPath(view.outline(part.body))} />
      ))}
      {isAxisShown && (
        <path
          className={styles.crownAxis}
          d={`M${view.toViewport(body.head).join(" ")}L${view.toViewport(end).join(" ")}`}
        />
      )}
      {isAxisShown && isChosen && (
        <PointHandle
          at={view.toViewport(end)}
          label={t("implant.crown.move", { name: formatImplantName(t, implant, number) })}
          isActive
          onChoose={() => drawing.choose(annotation.id)}
          onMove={move}
        />
      )}
    </g>
  );
}

const toClosedPath = (outline: readonly Point2D[]): string =>
  outline.length < 3 ? "" : `M${outline.map(([x, y]) => `${x},${y}`).join(" ")}Z`;
