import { useEffect, useRef, useState } from "react";
import type { PaneShown } from "@arcada/imaging/gl/volume-painter";
import { lettersOf, opposite } from "@arcada/imaging/volume/space";
import { showNumber } from "../../kernel/format.ts";
import { useTexts } from "../../kernel/texts.ts";
import { Corner } from "../frame/corner.tsx";
import { useSize } from "../frame/use-size.ts";
import type { Spot } from "@arcada/imaging/view/measure";
import { trueWindow } from "@arcada/imaging/view/true-value";
import { shapeText } from "../frame/shape-text.ts";
import {
  depthOf,
  paneTexture,
  paneToPatient,
  patientToPane,
  planes,
  sliceAt,
  stackOf,
  type PaneView,
  type PlaneName,
  type Stack,
} from "@arcada/imaging/view/plane";
import type { Size } from "@arcada/imaging/view/picture-view";
import { dot, type Vector } from "@arcada/imaging/view/vector";
import { isDrawn } from "../marks/kind.ts";
import { middleSpots } from "../marks/draft.ts";
import { MarksLayer } from "../marks/marks-layer.tsx";
import type { CtControls } from "./use-ct-controls.ts";
import styles from "./plane-pane.module.css";
import type { Panes } from "./panes.ts";
import { coarser } from "./texture-size.ts";
import { scaleBar } from "./scale-bar.ts";
import type { PaneSpace, PlaneDrawing } from "./use-plane-marks.ts";
import { usePaneHand } from "./use-pane-hand.ts";
import type { VolumeStore } from "./volume-store.ts";

interface Props {
  name: PlaneName;
  store: VolumeStore;
  controls: CtControls;
  drawing: PlaneDrawing;
  panes: Panes;
  isActive: boolean;
}

/** One plane of a volume over the shared canvas: crosshair, letters, marks, and the hand that moves them. */
export function PlanePane({ name, store, controls, drawing, panes, isActive }: Props) {
  const t = useTexts("viewer");
  const element = useRef<HTMLDivElement>(null);
  const size = useSize(element);
  const [pointed, setPointed] = useState<Vector | null>(null);
  const stack = stackOf(store.info, planes[name]);
  const depth = dot(controls.cross, planes[name].away);
  const view = size && controls.viewOf(name, size);
  useEffect(() => {
    if (element.current) panes.set(name, { element: element.current, shown: planeShown(name, store, controls) });
  });
  useEffect(() => () => panes.delete(name), [panes, name]);
  const reach = Math.max(stack.step, controls.look.slab) / 2;
  const space = view && size ? spaceOf(name, view, size, depth, reach) : null;
  usePaneHand(element, { name, space, controls, drawing, onPoint: setPointed });

  return (
    <div
      ref={element}
      className={`${styles.pane} ${isActive ? (styles.active ?? "") : ""} ${styles[controls.tool] ?? ""}`}
      role="group"
      aria-label={t(`viewer.plane.${name}`)}
      tabIndex={0}
      onFocus={() => controls.activate(name)}
      onKeyDown={(event) => {
        const { tool } = controls;
        if (event.key !== "Enter" || event.target !== event.currentTarget || !size || !space) return;
        if (!drawing.finish() && isDrawn(tool))
          drawing.add(tool, middleSpots(tool, size).map(space.toPatient), drawing.placeIn(name));
      }}
    >
      {size && view && space && (
        <>
          <Cross name={name} size={size} at={space.toPane(controls.cross)} />
          <Letters name={name} />
          <MarksLayer
            marks={drawing.shownIn(space)}
            chosen={drawing.chosen}
            onChoose={drawing.choose}
            onMove={(id, index, to, isOver) => drawing.movePoint(id, index, space.toPatient(to), isOver)}
          />
          <Bar view={view} size={size} />
        </>
      )}
      <PaneWords
        name={name}
        store={store}
        controls={controls}
        stack={stack}
        slice={sliceAt(stack, depth)}
        pointed={pointed}
      />
    </div>
  );
}

interface WordsProps extends Pick<Props, "name" | "store" | "controls"> {
  stack: Stack;
  slice: number;
  pointed: Vector | null;
}

/** Which slice this is, what lies under the pointer, and the slider through the slices. */
function PaneWords({ name, store, controls, stack, slice, pointed }: WordsProps) {
  const t = useTexts("viewer");
  const { slab, slabMode, window } = controls.look;
  const value = pointed && store.valueAt(pointed);
  const meanText = store.isHalf ? "viewer.valueHalf" : "viewer.valuePreview";
  const place = t("viewer.sliceText", { slice: slice + 1, count: stack.count });
  return (
    <>
      <Corner at="topLeft">
        <strong className={styles[`${name}Name`]}>{t(`viewer.plane.${name}`)}</strong>
        <span>{place}</span>
        {slab > 0 && <span>{t(`viewer.slab.${slabMode}`, { mm: slab })}</span>}
      </Corner>
      <Corner at="topRight">
        <span>
          {shapeText(t, window)}
          {t("viewer.windowText", trueWindow(store.info, window))}
        </span>
      </Corner>
      <Corner at="bottomLeft" isRaised>
        {pointed && (
          <span>{t("viewer.unit.mm", { value: pointed.map((part) => showNumber(part, 1)).join(" / ") })}</span>
        )}
        {value && (
          <span>
            {t(value.isMean ? meanText : `viewer.value.${store.info.valueName}`, {
              value: value.value,
            })}
          </span>
        )}
      </Corner>
      <input
        className={styles.slices}
        data-holds-press
        type="range"
        min={0}
        max={stack.count - 1}
        value={slice}
        aria-label={t("viewer.sliceOf", { plane: t(`viewer.plane.${name}`) })}
        aria-valuetext={place}
        onChange={(event) => controls.setDepth(name, depthOf(stack, Number(event.currentTarget.value)))}
      />
    </>
  );
}

const planeShown =
  (name: PlaneName, store: VolumeStore, { cross, viewOf }: CtControls) =>
  (pane: Size): PaneShown => {
    const plane = planes[name];
    const [view, depth] = [viewOf(name, pane), dot(cross, plane.away)];
    const { preview } = store;
    return {
      kind: "plane",
      full: paneTexture(coarser(store.info, store.factor), plane, view, pane, depth),
      preview: preview && paneTexture(preview.info, plane, view, pane, depth),
    };
  };

function spaceOf(name: PlaneName, view: PaneView, size: Size, depth: number, reach: number): PaneSpace {
  const plane = planes[name];
  return {
    name,
    toPane: (point) => patientToPane(plane, view, size, point),
    toPatient: (at) => paneToPatient(plane, view, size, at, depth),
    isIn: (point) => Math.abs(dot(point, plane.away) - depth) <= reach + 1e-6,
  };
}

/** The two other planes as lines, in their own colours, with a gap where they meet. */
function Cross({ name, size, at: [x, y] }: { name: PlaneName; size: Size; at: Spot }) {
  const [across, down] = crossing[name];
  const gap = 12;
  return (
    <svg className={styles.layer} aria-hidden>
      <path className={styles[`${across}Line`]} d={`M0 ${y}H${x - gap}M${x + gap} ${y}H${size.width}`} />
      <path className={styles[`${down}Line`]} d={`M${x} 0V${y - gap}M${x} ${y + gap}V${size.height}`} />
    </svg>
  );
}

/** Which planes cut a pane in a horizontal and in a vertical line. */
const crossing: Record<PlaneName, readonly [horizontal: PlaneName, vertical: PlaneName]> = {
  axial: ["coronal", "sagittal"],
  coronal: ["axial", "sagittal"],
  sagittal: ["axial", "coronal"],
};

function Letters({ name }: { name: PlaneName }) {
  const right = lettersOf(planes[name].right);
  const bottom = lettersOf(planes[name].down);
  return (
    <div className={styles.letters}>
      <span className={styles.left}>{opposite(right)}</span>
      <span className={styles.right}>{right}</span>
      <span className={styles.top}>{opposite(bottom)}</span>
      <span className={styles.bottom}>{bottom}</span>
    </div>
  );
}

function Bar({ view, size }: { view: PaneView; size: Size }) {
  const t = useTexts("viewer");
  const { mm, pixels } = scaleBar(view.scale, Math.min(160, size.width / 3));
  return (
    <svg className={styles.layer} aria-hidden>
      <g transform={`translate(${size.width - pixels - 12} ${size.height - 40})`}>
        <path className={styles.bar} d={`M0 -4V0H${pixels}V-4`} />
        <text className={styles.barText} x={pixels / 2} y={-6} textAnchor="middle">
          {t("viewer.unit.mm", { value: mm })}
        </text>
      </g>
    </svg>
  );
}
