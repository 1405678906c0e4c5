import { useEffect, useRef, useState } from "react";
import type { PaneShown } from "@arcada/imaging/gl/volume-painter";
import type { Size } from "@arcada/imaging/view/picture-view";
import {
  paneTexture,
  paneToPatient,
  patientToPane,
  sliceAt,
  sliceIn,
  stackOf,
  type PaneView,
  type PlaneName,
} from "@arcada/imaging/view/plane";
import { dot, type Vector } from "@arcada/imaging/view/vector";
import { useTexts } from "../../kernel/texts.ts";
import { useSize } from "../frame/use-size.ts";
import { CrossLines } from "./cross-lines.tsx";
import { finishOrAdd, onEnter } from "./finish-or-add.ts";
import { placeOf, type PlaceName } from "./layout/layouts.ts";
import type { PaneProps } from "./layout/pane-props.ts";
import { overlayTable } from "./layout/room-table.ts";
import styles from "./plane-pane.module.css";
import { SideLetters } from "../frame/side-letters.tsx";
import { PlaneScale, PlaneWords } from "./plane-words.tsx";
import { coarser } from "./texture-size.ts";
import type { CtControls } from "./use-ct-controls.ts";
import { usePaneHand } from "./use-pane-hand.ts";
import { planeNameAt } from "./use-pane-views.ts";
import type { PaneSpace } from "./use-plane-marks.ts";
import type { VolumeStore } from "./volume-store.ts";
import { useWorked, VolumeMarks } from "./volume-marks.tsx";

/** One plane of a volume over the shared canvas: crosshair, letters, annotations, and its pointer handler. */
export function PlanePane(props: PaneProps) {
  const { place, store, drawing, panes, isActive } = props;
  const t = useTexts("viewer");
  const element = useRef<HTMLDivElement>(null);
  const size = useSize(element);
  const [pointed, setPointed] = useState<Vector | null>(null);
  const { id, heard } = useWorked(drawing);
  const { side } = placeOf(place);
  const controls = props.controls.of(side);
  const name = planeNameAt(place) ?? "axial";
  const plane = controls.planes[name];
  const stack = stackOf(store.whole, plane);
  const depth = dot(controls.cross, plane.away);
  const view = size && controls.viewOf(place, size);
  useEffect(() => {
    if (element.current) panes.set(place, { element: element.current, ...handIn(place, name, store, controls) });
  });
  useEffect(() => () => panes.delete(place), [panes, place]);
  const reach = Math.max(stack.step, controls.look.slab) / 2;
  const space = view && size ? spaceOf(name, controls, view, size, reach) : null;
  usePaneHand(element, { place, space, controls, drawing, onPoint: setPointed });
  const label = side ? t(`viewer.joint.${side}`, { plane: t(`viewer.plane.${name}`) }) : t(`viewer.plane.${name}`);

  return (
    <div
      ref={element}
      className={`${styles.pane} ${isActive ? (styles.active ?? "") : ""} ${styles[controls.tool] ?? ""}`}
      role="group"
      aria-label={label}
      tabIndex={0}
      {...heard}
      onFocus={() => controls.activate(place)}
      onKeyDown={onEnter(() => size && space && finishOrAdd(controls.tool, drawing, space, size))}
    >
      {size && view && space && (
        <>
          <CrossLines {...{ name, label, size, controls }} at={space.toPane(controls.cross)} scale={view.scale} />
          <SideLetters plane={plane} />
          {overlayTable.map((Overlay, at) => (
            <Overlay key={at} {...props} controls={controls} space={space} size={size} />
          ))}
          <VolumeMarks drawing={drawing} space={space} id={id} />
          <PlaneScale view={view} size={size} />
        </>
      )}
      <PlaneWords
        name={name}
        label={label}
        store={store}
        controls={controls}
        stack={stack}
        slice={sliceAt(stack, depth)}
        pointed={pointed}
      />
    </div>
  );
}

/** Returns the part of a plane that the renderer, the keys and the buttons use. */
const handIn = (place: PlaceName, name: PlaneName, store: VolumeStore, controls: CtControls) => ({
  shown: planeShown(place, name, store, controls),
  hand: {
    step: (count: number) => controls.scroll(name, count, () => {}),
    zoom: (factor: number) => controls.zoom(place, null, factor, [0, 0]),
  },
});

const planeShown =
  (place: PlaceName, name: PlaneName, store: VolumeStore, { cross, planes, viewOf, look }: CtControls) =>
  (pane: Size): PaneShown => {
    const plane = planes[name];
    const [view, depth] = [viewOf(place, pane), dot(cross, plane.away)];
    const { preview } = store;
    const slice = look.slab === 0 && (store.isHalf || store.factor > 1) ? sliceIn(store.whole, plane, cross) : null;
    return {
      kind: "plane",
      sharp:
        slice !== null && store.sharpen(slice)
          ? { slice, place: paneTexture(store.whole, plane, view, pane, depth) }
          : null,
      full: paneTexture(coarser(store.info, store.factor), plane, view, pane, depth),
      preview: preview && paneTexture(preview.info, plane, view, pane, depth),
    };
  };

function spaceOf(name: PlaneName, controls: CtControls, view: PaneView, size: Size, reach: number): PaneSpace {
  const plane = controls.planes[name];
  const depth = dot(controls.cross, plane.away);
  return {
    name,
    plane,
    toPane: (point) => patientToPane(plane, view, size, point),
    toPatient: (at) => paneToPatient(plane, view, size, at, depth),
    isIn: (point) => Math.abs(dot(point, plane.away) - depth) <= reach + 1e-6,
  };
}
