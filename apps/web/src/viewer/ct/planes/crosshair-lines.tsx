import { useRef, type KeyboardEvent, type PointerEvent } from "react";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { Size } from "@arcada/imaging/view/image-view";
import type { PlaneName } from "@arcada/imaging/view/plane-view";
import { getLineAngle, crossingPlanes, getIntersectionLine } from "@arcada/imaging/view/oblique-planes";
import { formatNumber } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import styles from "./crosshair-lines.module.css";
import { maxSlabMm, type CtControls } from "../use-ct-controls.ts";

interface Props {
  name: PlaneName;
  label: string;
  size: Size;
  controls: CtControls;
  at: Point2D;
  /** CSS pixels per mm. */
  scale: number;
}

/**
 * The two other planes as lines in their own colours, with a gap at their intersection; their ends rotate them, the
 * squares change the slab thickness.
 */
export function CrosshairLines(props: Props) {
  const { name, size, controls, at } = props;
  const isTurning = controls.tool === "cross";
  return (
    <svg className={styles.layer}>
      {crossingPlanes[name].map((other, index) => {
        const along = getIntersectionLine(controls.planes, name, other);
        const ends = findLineEnds(along, size, at);
        const reach = (controls.displaySettings.slab / 2) * props.scale;
        return (
          <g key={other} className={styles[other]}>
            <path className={styles.line} d={buildLinePath(along, size, at)} />
            {reach > 0 &&
              [-reach, reach].map((by) => (
                <path key={by} className={styles.edge} d={buildEdgePath(along, size, at, by)} />
              ))}
            {isTurning && ends && (
              <>
                {ends.map(
                  (end) =>
                    end && (
                      <RotationHandle
                        key={String(end)}
                        {...props}
                        end={end}
                        isFirst={index === 0 && end === ends.find(Boolean)}
                      />
                    ),
                )}
                {ends[1] && hasSpaceForHandles(size) && (
                  <SlabHandle {...props} along={along} end={ends[1]} reach={reach} isFirst={index === 0} />
                )}
              </>
            )}
          </g>
        );
      })}
    </svg>
  );
}

/** A small viewport would be covered by handles. */
const hasSpaceForHandles = ({ width, height }: Size): boolean => Math.min(width, height) >= 240;

/**
 * Rotates the lines about their intersection. One of the four handles receives the arrow keys, which rotate by one
 * degree, with Shift by ten.
 */
function RotationHandle({ name, label, controls, at, end, isFirst }: Props & { end: Point2D; isFirst: boolean }) {
  const t = useTexts("viewer");
  const last = useRef<number | null>(null);
  const angle = getLineAngle(controls.planes, name);
  const dragProps = useDragHandle({
    begin: (to) => (last.current = directionTo(at, to)),
    move: (to) => {
      const now = directionTo(at, to);
      controls.rotate(name, now - (last.current ?? now));
      last.current = now;
    },
    key: (step) => controls.rotate(name, step),
  });
  return (
    <circle
      className={styles.handle}
      cx={end[0]}
      cy={end[1]}
      r={6}
      {...dragProps}
      {...(isFirst
        ? {
            tabIndex: 0,
            role: "slider",
            "aria-label": t("viewer.turn.handle", { plane: label }),
            "aria-valuemin": -180,
            "aria-valuemax": 180,
            "aria-valuenow": Math.round(angle),
            "aria-valuetext": t("viewer.unit.deg", { value: formatNumber(angle, 1) }),
          }
        : { "aria-hidden": true })}
    />
  );
}

/** Dragged away from its line it makes a slab, equally thick on both sides. */
function SlabHandle({
  label,
  controls,
  at,
  scale,
  along: [dx, dy],
  end,
  reach,
  isFirst,
}: Props & { along: Point2D; end: Point2D; reach: number; isFirst: boolean }) {
  const t = useTexts("viewer");
  const { slab } = controls.displaySettings;
  const dragProps = useDragHandle({
    begin: () => {},
    move: ([x, y]) => controls.setSlab((2 * Math.abs((y - at[1]) * dx - (x - at[0]) * dy)) / scale),
    key: (step) => controls.setSlab(slab + step / 2),
  });
  const [x, y] = [(at[0] + 2 * end[0]) / 3 - dy * reach, (at[1] + 2 * end[1]) / 3 + dx * reach];
  return (
    <rect
      className={styles.handle}
      x={x - 5}
      y={y - 5}
      width={10}
      height={10}
      {...dragProps}
      {...(isFirst
        ? {
            tabIndex: 0,
            role: "slider",
            "aria-label": t("viewer.slab.handle", { plane: label }),
            "aria-valuemin": 0,
            "aria-valuemax": maxSlabMm,
            "aria-valuenow": slab,
            "aria-valuetext": t("viewer.unit.mm", { value: slab }),
          }
        : { "aria-hidden": true })}
    />
  );
}

interface DragActions {
  begin: (to: Point2D) => void;
  move: (to: Point2D) => void;
  key: (step: number) => void;
}

/** A handle in the image: dragged by a pointer, moved by arrow keys. */
function useDragHandle({ begin, move, key }: DragActions) {
  const isHeld = useRef(false);
  return {
    "data-holds-press": true,
    onPointerDown: (event: PointerEvent<SVGElement>) => {
      if (event.button !== 0) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      isHeld.current = true;
      begin(toPoint(event));
    },
    onPointerMove: (event: PointerEvent<SVGElement>) => isHeld.current && move(toPoint(event)),
    onPointerUp: () => void (isHeld.current = false),
    onPointerCancel: () => void (isHeld.current = false),
    onKeyDown: (event: KeyboardEvent) => {
      const direction = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (!direction) return;
      event.preventDefault();
      event.stopPropagation();
      key(direction * (event.shiftKey ? 10 : 1));
    },
  };
}

/** Returns the position of a pointer from the top left corner of the viewport. */
function toPoint({ currentTarget, clientX, clientY }: PointerEvent<SVGElement>): Point2D {
  const { left, top } = currentTarget.ownerSVGElement?.getBoundingClientRect() ?? { left: 0, top: 0 };
  return [clientX - left, clientY - top];
}

const directionTo = (from: Point2D, to: Point2D): number =>
  (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI;

const crosshairGap = 12;

function buildLinePath([dx, dy]: Point2D, size: Size, [x, y]: Point2D): string {
  const far = size.width + size.height + Math.hypot(x, y);
  const point = (along: number) => `${x + dx * along} ${y + dy * along}`;
  return `M${point(-far)}L${point(-crosshairGap)}M${point(crosshairGap)}L${point(far)}`;
}

function buildEdgePath([dx, dy]: Point2D, size: Size, [x, y]: Point2D, by: number): string {
  const far = size.width + size.height + Math.hypot(x, y);
  const point = (along: number) => `${x - dy * by + dx * along} ${y + dx * by + dy * along}`;
  return `M${point(-far)}L${point(far)}`;
}

// Orientation letters cover the sides, and the slider through the slices covers the lower edge.
const inset = { left: 34, right: 34, top: 40, bottom: 58 };

/**
 * Returns the points at which a line through `at` leaves the free part of a viewport, backwards and forwards; null for
 * an end that is too near to be grabbed, or if the line is outside.
 */
function findLineEnds(
  [dx, dy]: Point2D,
  size: Size,
  [x, y]: Point2D,
): readonly [Point2D | null, Point2D | null] | null {
  let [least, most] = [-Infinity, Infinity];
  for (const [by, from, low, high] of [
    [dx, x, inset.left, size.width - inset.right],
    [dy, y, inset.top, size.height - inset.bottom],
  ] as const) {
    if (Math.abs(by) < 1e-6) {
      if (from < low || from > high) return null;
      continue;
    }
    const [one, other] = [(low - from) / by, (high - from) / by];
    least = Math.max(least, Math.min(one, other));
    most = Math.min(most, Math.max(one, other));
  }
  if (!(least < most)) return null;
  const near = 40;
  const end = (along: number): Point2D => [x + dx * along, y + dy * along];
  return [least < -near ? end(least) : null, most > near ? end(most) : null];
}
