import { useEffect, useRef, useState, type RefObject } from "react";
import type { ArchPath } from "@arcada/imaging/arch/path";
import { sectionAlong, sectionAt, type Section } from "@arcada/imaging/arch/section";
import type { PaneShown } from "@arcada/imaging/gl/volume-painter";
import type { Size } from "@arcada/imaging/view/picture-view";
import { paneTexture, paneToPatient, patientToPane, type PaneView } from "@arcada/imaging/view/plane";
import { dot, type Vector } from "@arcada/imaging/view/vector";
import { showNumber } from "../../../kernel/format.ts";
import { useTexts } from "../../../kernel/texts.ts";
import { Corner } from "../../frame/corner.tsx";
import { useSize } from "../../frame/use-size.ts";
import { finishOrAdd, onEnter } from "../finish-or-add.ts";
import type { PaneProps } from "../layout/pane-props.ts";
import { PlaneCuts } from "../render/cuts-overlay.tsx";
import paneStyles from "../plane-pane.module.css";
import { coarser } from "../texture-size.ts";
import type { MarkSpace } from "../use-plane-marks.ts";
import type { VolumeStore } from "../volume-store.ts";
import { useWorked, VolumeMarks } from "../volume-marks.tsx";
import { PlanLayer } from "./plan-layer.tsx";
import styles from "./plan-layer.module.css";
import { planeSight } from "./plan-view.ts";
import { isFor, useArchHand } from "./use-arch-hand.ts";
import type { ArchView } from "./arch-look.ts";
import type { Arch } from "./use-arch.ts";
import { zoomedArch } from "./wall-space.ts";

interface Props extends PaneProps {
  /** The index of this cell, and the number of the cross-section that it shows. */
  index: number;
  number: number;
  path: ArchPath;
  fitted: (cell: Size) => ArchView;
  step: (count: number) => void;
}

/** One cross-section: cheek on the left, tongue on the right. */
export function SectionCell(props: Props) {
  const { place, store, controls, drawing, arch, number } = props;
  const t = useTexts("viewer");
  const element = useRef<HTMLDivElement>(null);
  const size = useSize(element);
  const [pointed, setPointed] = useState<Vector | null>(null);
  const { id, heard } = useWorked(drawing);
  const { view, space } = useSection(props, element, size, setPointed);
  const isNow = number === arch.section;
  const enter = () => {
    if (size && space && isFor(controls.tool, space)) finishOrAdd(controls.tool, drawing, space, size);
  };

  return (
    <div
      ref={element}
      className={`${styles.cell} ${isNow ? (styles.cellNow ?? "") : ""} ${paneStyles[controls.tool] ?? ""}`}
      role="group"
      aria-label={t("viewer.arch.sectionName", { number })}
      aria-current={isNow}
      tabIndex={0}
      {...heard}
      onFocus={() => controls.activate(place)}
      onKeyDown={onEnter(enter)}
    >
      {size && view && space && (
        <>
          {isNow && <SectionCross at={space.toPane(controls.cross)} size={size} />}
          <PlaneCuts space={space} depth={dot(space.toPatient([0, 0]), space.plane.away)} />
          <PlanLayer arch={arch} drawing={drawing} view={planeSight(space)} />
          <VolumeMarks drawing={drawing} space={space} id={id} />
          <SectionScale scale={view.scale} size={size} />
        </>
      )}
      <SectionWords arch={arch} store={store} number={number} pointed={pointed} />
    </div>
  );
}

/**
 * Computes the part of the cross-section that is seen in a cell of this size, and attaches the pointer handler and the
 * renderer.
 */
function useSection(
  { place, store, controls, drawing, panes, arch, index, number, path, fitted, step }: Props,
  element: RefObject<HTMLElement | null>,
  size: Size | null,
  onPoint: (point: Vector | null) => void,
): { view: ArchView | null; space: MarkSpace | null } {
  const { spacing, slab, slabMode } = arch.sectionLook;
  const section = sectionAt(path, sectionAlong(spacing, number));
  const view = size && (arch.sectionView ?? fitted(size));
  const space = view && size ? spaceOf(section, view, size, Math.max(spacing, slab) / 2) : null;
  const name = `${place}/${index}`;
  useEffect(() => {
    if (!element.current) return;
    panes.set(name, {
      element: element.current,
      shown: (pane) => sectionShown(section, arch.sectionView ?? fitted(pane), store, pane),
      look: { slab, slabMode },
    });
  });
  useEffect(() => () => panes.delete(name), [panes, name]);
  useArchHand(element, {
    place,
    controls,
    drawing,
    space,
    step,
    zoom: (at, factor, by) => size && view && arch.setSectionView(zoomedArch(view, size, at, factor, by)),
    onPoint,
  });
  return { view, space };
}

function SectionWords({
  arch,
  store,
  number,
  pointed,
}: {
  arch: Arch;
  store: VolumeStore;
  number: number;
  pointed: Vector | null;
}) {
  const t = useTexts("viewer");
  const value = pointed && store.valueAt(pointed);
  return (
    <>
      <span className={styles.cellNumber}>{number}</span>
      <span className={`${styles.side} ${styles.sideRight}`}>{t("viewer.arch.buccal")}</span>
      <span className={`${styles.side} ${styles.sideLeft}`}>{t(`viewer.arch.inside.${arch.jaw}`)}</span>
      <Corner at="bottomLeft">
        {value && !value.isMean && <span>{t(`viewer.value.${store.info.valueName}`, { value: value.value })}</span>}
      </Corner>
    </>
  );
}

function SectionCross({ at: [x, y], size }: { at: readonly [number, number]; size: Size }) {
  return (
    <svg className={styles.layer} aria-hidden>
      <path className={`${styles.cross} ${styles.level}`} d={`M0 ${y}H${x - 10}M${x + 10} ${y}H${size.width}`} />
      <path className={`${styles.cross} ${styles.wallLine}`} d={`M${x} 0V${y - 10}M${x} ${y + 10}V${size.height}`} />
    </svg>
  );
}

const barMm = 10;

function SectionScale({ scale, size }: { scale: number; size: Size }) {
  const t = useTexts("viewer");
  return (
    <svg className={styles.layer} aria-hidden>
      <g transform={`translate(${size.width - 10} ${size.height - 10})`}>
        <path className={paneStyles.bar} d={`M-4 0H0V${-barMm * scale}H-4`} />
        <text className={paneStyles.barText} x={-8} y={(-barMm * scale) / 2 + 4} textAnchor="end">
          {t("viewer.unit.mm", { value: showNumber(barMm) })}
        </text>
      </g>
    </svg>
  );
}

/**
 * The view's middle is relative to the point at which the cross-section crosses the arch: mm towards the tongue, and
 * upwards.
 */
const viewOf = ({ plane, point }: Section, { middle, scale }: ArchView): PaneView => ({
  scale,
  middle: [dot(point, plane.right) + middle[0], dot(point, plane.down) - middle[1]],
});

function spaceOf(section: Section, view: ArchView, size: Size, reach: number): MarkSpace {
  const { plane, point } = section;
  const [seen, depth] = [viewOf(section, view), dot(point, plane.away)];
  return {
    name: "section",
    plane,
    toPane: (there) => patientToPane(plane, seen, size, there),
    toPatient: (at) => paneToPatient(plane, seen, size, at, depth),
    isIn: (there) => Math.abs(dot(there, plane.away) - depth) <= reach,
  };
}

function sectionShown(section: Section, view: ArchView, store: VolumeStore, pane: Size): PaneShown {
  const { plane, point } = section;
  const [seen, depth] = [viewOf(section, view), dot(point, plane.away)];
  return {
    kind: "plane",
    full: paneTexture(coarser(store.info, store.factor), plane, seen, pane, depth),
    preview: store.preview && paneTexture(store.preview.info, plane, seen, pane, depth),
  };
}
