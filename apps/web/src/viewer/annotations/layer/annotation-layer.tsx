import { useRef, type PointerEvent } from "react";
import type { AnnotationColour } from "@arcada/contract/study/annotation";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { useTexts } from "../../../i18n/texts.ts";
import { useClientSize } from "../../ui/viewport/use-client-size.ts";
import { PointHandle } from "./point-handle.tsx";
import { placeLabels, rowHeight, type LabelPosition } from "../labels/place-labels.ts";
import { AnnotationEditor } from "./annotation-editor.tsx";
import styles from "./annotation-layer.module.css";
import type { Drawing } from "../drawing/use-drawing.ts";
import { annotationKindOf, type DrawingTool } from "../annotation-kind-registry.ts";

/** An annotation in CSS pixels of its viewport, with its text. */
export interface ScreenAnnotation {
  id: string;
  tool: DrawingTool;
  points: readonly Point2D[];
  label: string;
  colour: AnnotationColour;
  isDraft?: boolean;
  /** Its lines if the viewer computes them in its own coordinates: a vertical there may be rotated on the screen. */
  lines?: Polylines;
  guides?: Polylines;
}

export type Polylines = readonly (readonly Point2D[])[];

interface Props {
  annotations: readonly ScreenAnnotation[];
  chosen: string | null;
  onChoose: (id: string | null) => void;
  /** Called when a point was dragged, or moved by the arrow keys; `isOver` when the drag ends. */
  onMove: (id: string, index: number, to: Point2D, isOver: boolean) => void;
  /** Enables the input of text, teeth and lengths beside their annotations. */
  editing?: Pick<Drawing<never>, "edited" | "openInput" | "submitInput" | "insertPoint" | "removePoint">;
}

/** Annotations over an image or a plane: lines, handles that can be dragged or moved by arrow keys, and labels. */
export function AnnotationLayer({ annotations, chosen, onChoose, onMove, editing }: Props) {
  const edited = editing?.edited;
  const layer = useRef<SVGSVGElement>(null);
  const size = useClientSize(layer);
  const labels = annotations.map(({ points, tool, label }) => ({
    at: findLabelAnchor(points, annotationKindOf(tool).labelPointIndex),
    rows: label.split("\n"),
  }));
  const labelPositions = size ? placeLabels(labels, size) : [];
  const editedShape = edited && annotations.find(({ id }) => id === edited.id);
  return (
    <>
      <svg ref={layer} className={styles.layer}>
        {annotations.map((annotation, index) => (
          <AnnotationShape
            key={annotation.id}
            annotation={annotation}
            isChosen={annotation.id === chosen}
            onChoose={onChoose}
            onMove={onMove}
            editing={editing}
            labelPosition={labelPositions[index]}
          />
        ))}
      </svg>
      {edited && editedShape && (
        <AnnotationEditor
          key={edited.id}
          annotation={edited}
          at={findLabelAnchor(editedShape.points, annotationKindOf(edited.tool).labelPointIndex)}
          onSubmit={editing.submitInput}
        />
      )}
    </>
  );
}

interface ShapeProps extends Pick<Props, "onChoose" | "onMove"> {
  annotation: ScreenAnnotation;
  isChosen: boolean;
  editing: Props["editing"];
  labelPosition: LabelPosition | undefined;
}

function AnnotationShape({ annotation, isChosen, onChoose, onMove, editing, labelPosition }: ShapeProps) {
  const t = useTexts("viewer");
  const kind = annotationKindOf(annotation.tool);
  const lines = (annotation.lines ?? kind.lines?.(annotation.points) ?? [annotation.points]).map(toSvgPath);
  const guides = (annotation.guides ?? kind.guides?.(annotation.points) ?? []).map(toSvgPath);
  const name = `${t(`viewer.tool.${annotation.tool}`)} ${annotation.label.replaceAll("\n", ", ")}`;
  const choose = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    onChoose(annotation.id);
  };
  return (
    <g
      className={`${annotation.isDraft ? styles.draft : isChosen ? styles.chosen : styles.mark} ${styles[annotation.colour]}`}
    >
      <path className={styles.guide} d={guides.join("")} />
      <path className={styles.shadow} d={lines.join("")} />
      <path className={styles.line} d={lines.join("")} />
      {kind.arrowheadIndex !== undefined && (
        <path className={styles.tip} d={toArrowheadPath(annotation.points, kind.arrowheadIndex)} />
      )}
      {!annotation.isDraft && (
        <path
          className={styles.hit}
          // A single point is a dot that can be pressed.
          d={annotation.points.length === 1 ? `${lines.join("")}Z` : lines.join("")}
          data-holds-press
          tabIndex={0}
          role="button"
          aria-label={name}
          aria-pressed={isChosen}
          onPointerDown={choose}
          onDoubleClick={() => editing?.openInput(annotation.id)}
          onFocus={() => onChoose(annotation.id)}
        />
      )}
      {annotation.points.map((at, index) => (
        <PointHandle
          key={index}
          at={at}
          label={name}
          isActive={isChosen}
          onChoose={() => onChoose(annotation.id)}
          onMove={(to, isOver) => onMove(annotation.id, index, to, isOver)}
          onEdit={() => editing?.openInput(annotation.id)}
          {...(annotation.tool === "path" && {
            onInsert: () => editing?.insertPoint(annotation.id, index),
            onRemove: () => editing?.removePoint(annotation.id, index),
          })}
        />
      ))}
      {labelPosition && <LabelText position={labelPosition} label={annotation.label} />}
    </g>
  );
}

const LabelText = ({ position: { x, y, anchor }, label }: { position: LabelPosition; label: string }) => (
  <text className={styles.label} x={x} y={y} textAnchor={anchor} direction="ltr">
    {label.split("\n").map((row, at) => (
      <tspan key={at} x={x} dy={at === 0 ? 0 : rowHeight}>
        {row}
      </tspan>
    ))}
  </text>
);

const toSvgPath = (line: readonly Point2D[]): string =>
  line.length === 0 ? "" : `M${line.map(([x, y]) => `${x},${y}`).join(" ")}`;

/** The head of an arrow at one end of its line. */
function toArrowheadPath(points: readonly Point2D[], at: number): string {
  const [tip, other] = [points[at], points[1 - at]];
  if (!tip || !other) return "";
  const direction = Math.atan2(other[1] - tip[1], other[0] - tip[0]);
  const wing = (side: number) =>
    `${tip[0] + 14 * Math.cos(direction + side)},${tip[1] + 14 * Math.sin(direction + side)}`;
  return `M${wing(0.42)} ${tip[0]},${tip[1]} ${wing(-0.42)}Z`;
}

const findLabelAnchor = (points: readonly Point2D[], at = points.length - 1): Point2D =>
  points[at] ?? points.at(-1) ?? [0, 0];
