import { useEffect, useRef, useState, type RefObject } from "react";
import { patientToWall, type ArchPath } from "@arcada/imaging/arch/path";
import { sectionAlong } from "@arcada/imaging/arch/section";
import type { Spot } from "@arcada/imaging/view/measure";
import type { Size } from "@arcada/imaging/view/picture-view";
import type { Vector } from "@arcada/imaging/view/vector";
import { lettersOf, opposite } from "@arcada/imaging/volume/space";
import { showList, showNumber } from "../../../kernel/format.ts";
import { useTexts } from "../../../kernel/texts.ts";
import { Corner } from "../../frame/corner.tsx";
import { useSize } from "../../frame/use-size.ts";
import { finishOrAdd, onEnter } from "../finish-or-add.ts";
import { PlaneScale } from "../plane-words.tsx";
import type { PaneProps } from "../layout/pane-props.ts";
import { WallCuts } from "../render/cuts-overlay.tsx";
import paneStyles from "../plane-pane.module.css";
import type { MarkSpace } from "../use-plane-marks.ts";
import { useWorked, VolumeMarks } from "../volume-marks.tsx";
import { ArchMissing } from "./arch-missing.tsx";
import { PlanLayer } from "./plan-layer.tsx";
import styles from "./plan-layer.module.css";
import { wallSight } from "./plan-view.ts";
import { isFor, useArchHand } from "./use-arch-hand.ts";
import { nearby, type ArchView } from "./arch-look.ts";
import type { Arch } from "./use-arch.ts";
import { fittedWall, spotOn, wallShown, wallSpace, zoomedArch } from "./wall-space.ts";

const depthStep = 0.5;

/** The panorama along the arch: unrolled, so that lengths along it and heights are true. */
export function PanoramaPane(props: PaneProps) {
  const { place, controls, drawing, arch, isActive } = props;
  const t = useTexts("viewer");
  const element = useRef<HTMLDivElement>(null);
  const size = useSize(element);
  const [pointed, setPointed] = useState<Vector | null>(null);
  const { id, heard } = useWorked(drawing);
  const { view, space } = useWall(props, element, size, setPointed);
  const { wall } = arch;
  const enter = () => {
    if (size && space && isFor(controls.tool, space)) finishOrAdd(controls.tool, drawing, space, size);
  };

  return (
    <div
      ref={element}
      className={`${paneStyles.pane} ${isActive ? (paneStyles.active ?? "") : ""} ${paneStyles[controls.tool] ?? ""}`}
      role="group"
      aria-label={t("viewer.pane.panorama")}
      tabIndex={0}
      {...heard}
      onFocus={() => controls.activate(place)}
      onKeyDown={onEnter(enter)}
    >
      {wall && size && view && space ? (
        <>
          <WallLines arch={arch} wall={wall} view={view} size={size} at={controls.cross} />
          <WallCuts wall={wall} toPane={(spot) => spotOn(spot, view.middle, view.scale, size)} />
          <PlanLayer arch={arch} drawing={drawing} view={wallSight(space, wall, view.scale)} />
          <VolumeMarks drawing={drawing} space={space} id={id} />
          <PlaneScale view={{ middle: [0, 0], scale: view.scale }} size={size} />
          <WallWords arch={arch} pointed={pointed} />
        </>
      ) : (
        <ArchMissing arch={arch} controls={controls} />
      )}
    </div>
  );
}

/**
 * Computes the part of the curved surface that is seen in a viewport of this size, and attaches the pointer handler and
 * the renderer.
 */
function useWall(
  { place, store, controls, drawing, panes, arch }: PaneProps,
  element: RefObject<HTMLElement | null>,
  size: Size | null,
  onPoint: (point: Vector | null) => void,
): { view: ArchView | null; space: MarkSpace | null } {
  const { wall, wallLook } = arch;
  const viewIn = (pane: Size): ArchView | null => wall && (arch.wallView ?? fittedWall(wall, store.info, pane));
  const view = size && viewIn(size);
  const space = wall && size && view ? wallSpace(wall, view, size, Math.max(2, wallLook.slab / 2)) : null;
  const zoom = (at: Spot | null, factor: number, by: Spot) =>
    size && view && arch.setWallView(zoomedArch(view, size, at, factor, by));
  const step = (count: number) => arch.setWallLook({ depth: wallLook.depth + count * depthStep });
  useEffect(() => {
    if (!element.current) return;
    panes.set(place, {
      element: element.current,
      shown: (pane) => {
        const seen = viewIn(pane);
        return seen && wallShown(arch, store, seen, pane);
      },
      look: { slab: wallLook.slab, slabMode: wallLook.slabMode },
      hand: { step, zoom: (factor) => zoom(null, factor, [0, 0]), fit: () => arch.setWallView(null) },
    });
  });
  useEffect(() => () => panes.delete(place), [panes, place]);
  useArchHand(element, { place, controls, drawing, space, step, zoom, onPoint });
  return { view, space };
}

/** Shows the jaw, the slab thickness and the depth, and the position under the pointer. */
function WallWords({ arch, pointed }: { arch: Arch; pointed: Vector | null }) {
  const t = useTexts("viewer");
  const { slab, slabMode, depth } = arch.wallLook;
  const place = pointed && arch.wall && patientToWall(arch.wall, pointed);
  return (
    <>
      <Corner at="topLeft" isLowered>
        <strong>
          {t("viewer.pane.panorama")} · {t(`viewer.jaw.${arch.jaw}`)}
        </strong>
        <span>
          {t(`viewer.slab.${slabMode}`, { mm: slab })}
          {depth !== 0 && ` · ${t("viewer.arch.depthText", { mm: showNumber(depth, 1) })}`}
        </span>
        {arch.state === "guessed" && <span>{t("viewer.arch.guessed")}</span>}
        {arch.edges.length > 0 && (
          <span>
            {t("viewer.arch.edges", { parts: showList(arch.edges.map((edge) => t(`viewer.arch.edge.${edge}`))) })}
          </span>
        )}
      </Corner>
      <Corner at="bottomLeft">
        {place && (
          <span>
            {t("viewer.arch.place", { along: showNumber(place.along, 1), height: showNumber(place.height, 1) })}
          </span>
        )}
        <span>{t("viewer.arch.unrolled")}</span>
      </Corner>
      <span className={`${styles.side} ${styles.sideRight}`}>{lettersOf(patientRight)}</span>
      <span className={`${styles.side} ${styles.sideLeft}`}>{opposite(lettersOf(patientRight))}</span>
    </>
  );
}

const patientRight: Vector = [-1, 0, 0];

interface LinesProps {
  arch: Arch;
  wall: ArchPath;
  view: ArchView;
  size: Size;
  /** The crosshair. */
  at: Vector;
}

const apart = 26;

/** The crosshair, and the cross-sections as a ruler along the upper edge. */
function WallLines({ arch, wall, view, size, at }: LinesProps) {
  const { path } = arch;
  const place = patientToWall(wall, at);
  const [crossX, crossY] = spotOn(place, view.middle, view.scale, size);
  const { spacing } = arch.sectionLook;
  const every = Math.max(
    1,
    ...[1, 2, 5, 10, 20].filter((count, index, all) => (all[index - 1] ?? 0) * spacing * view.scale < apart),
  );
  const ticks = Array.from({ length: path ? arch.sections : 0 }, (_, index) => index + 1);
  const xOf = (number: number): number => {
    // A curved surface that was moved away from the arch has a length of its own.
    const share = sectionAlong(spacing, number) / (path?.length ?? 1);
    return spotOn({ along: share * wall.length, height: 0 }, view.middle, view.scale, size)[0];
  };
  return (
    <svg className={styles.layer} aria-hidden>
      <path
        className={`${styles.cross} ${styles.level}`}
        d={`M0 ${crossY}H${crossX - 12}M${crossX + 12} ${crossY}H${size.width}`}
      />
      {Math.abs(place.out) < nearby && (
        <path
          className={`${styles.cross} ${styles.tick} ${styles.now}`}
          d={`M${crossX} 34V${crossY - 12}M${crossX} ${crossY + 12}V${size.height}`}
        />
      )}
      {ticks.map((number) => {
        const x = xOf(number);
        if (x < 0 || x > size.width) return null;
        const isNow = number === arch.section;
        const isNumbered = number % every === 0 && Math.abs(number - arch.section) * spacing * view.scale > 16;
        return (
          <g key={number}>
            <path
              className={`${styles.tick} ${isNow ? styles.now : ""}`}
              d={`M${x} 0V${isNow ? 18 : isNumbered ? 8 : 4}`}
            />
            {(isNumbered || isNow) && (
              <text className={`${styles.number} ${isNow ? styles.numberNow : ""}`} x={x} y={isNow ? 30 : 19}>
                {number}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
