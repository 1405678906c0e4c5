import { useRef, type KeyboardEvent, type PointerEvent } from "react";
import type { Spot } from "@arcada/imaging/view/measure";
import type { Size } from "@arcada/imaging/view/picture-view";
import type { PlaneName } from "@arcada/imaging/view/plane";
import { angleIn, crossing, lineOf } from "@arcada/imaging/view/turned-planes";
import { showNumber } from "../../kernel/format.ts";
import { useTexts } from "../../kernel/texts.ts";
import styles from "./cross-lines.module.css";
import { thickest, type CtControls } from "./use-ct-controls.ts";

interface Props {
  name: PlaneName;
  label: string;
  size: Size;
  controls: CtControls;
  at: Spot;
  /** CSS pixels per mm. */
  scale: number;
}

/**
 * The two other planes as lines in their own colours, with a gap at their intersection; their ends rotate them, the
 * squares change the slab thickness.
 */
export function CrossLines(props: Props) {
  const { name, size, controls, at } = props;
  const isHeld = controls.tool === "cross";
  return (
    <svg className={styles.layer}>
      {crossing[name].map((other, index) => {
        const along = lineOf(controls.planes, name, other);
        const ends = endsOf(along, size, at);
        const reach = (controls.look.slab / 2) * props.scale;
        return (
          <g key={other} className={styles[other]}>
            <path className={styles.line} d={lineFrom(along, size, at)} />
            {reach > 0 &&
              [-reach, reach].map((by) => <path key={by} className={styles.edge} d={edgeAt(along, size, at, by)} />)}
            {isHeld && ends && (
              <>
                {ends.map(
                  (end) =>
                    end && (
                      <TurnHandle
                        key={String(end)}
                        {...props}
                        end={end}
                        isFirst={index === 0 && end === ends.find(Boolean)}
                      />
                    ),
                )}
                {ends[1] && isRoomy(size) && (
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
const isRoomy = ({ width, height }: Size): boolean => Math.min(width, height) >= 240;

/**
 * Rotates the lines about their intersection. One of the four handles takes the keys: arrows by one degree, with Shift
 * by ten.
 */
function TurnHandle({ name, label, controls, at, end, isFirst }: Props & { end: Spot; isFirst: boolean }) {
  const t = useTexts("viewer");
  const last = useRef<number | null>(null);
  const angle = angleIn(controls.planes, name);
  const grip = useGrip({
    begin: (to) => (last.current = directionTo(at, to)),
    move: (to) => {
      const now = directionTo(at, to);
      controls.turn(name, now - (last.current ?? now));
      last.current = now;
    },
    key: (step) => controls.turn(name, step),
  });
  return (
    <circle
      className={styles.handle}
      cx={end[0]}
      cy={end[1]}
      r={6}
      {...grip}
      {...(isFirst
        ? {
            tabIndex: 0,
            role: "slider",
            "aria-label": t("viewer.turn.handle", { plane: label }),
            "aria-valuemin": -180,
            "aria-valuemax": 180,
            "aria-valuenow": Math.round(angle),
            "aria-valuetext": t("viewer.unit.deg", { value: showNumber(angle, 1) }),
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
}: Props & { along: Spot; end: Spot; reach: number; isFirst: boolean }) {
  const t = useTexts("viewer");
  const { slab } = controls.look;
  const grip = useGrip({
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
      {...grip}
      {...(isFirst
        ? {
            tabIndex: 0,
            role: "slider",
            "aria-label": t("viewer.slab.handle", { plane: label }),
            "aria-valuemin": 0,
            "aria-valuemax": thickest,
            "aria-valuenow": slab,
            "aria-valuetext": t("viewer.unit.mm", { value: slab }),
          }
        : { "aria-hidden": true })}
    />
  );
}

interface Grip {
  begin: (to: Spot) => void;
  move: (to: Spot) => void;
  key: (step: number) => void;
}

/** A handle in the image: dragged by a pointer, moved by arrow keys. */
function useGrip({ begin, move, key }: Grip) {
  const isHeld = useRef(false);
  return {
    "data-holds-press": true,
    onPointerDown: (event: PointerEvent<SVGElement>) => {
      if (event.button !== 0) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      isHeld.current = true;
      begin(spotOf(event));
    },
    onPointerMove: (event: PointerEvent<SVGElement>) => isHeld.current && move(spotOf(event)),
    onPointerUp: () => void (isHeld.current = false),
    onPointerCancel: () => void (isHeld.current = false),
    onKeyDown: (event: KeyboardEvent) => {
      const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      key(way * (event.shiftKey ? 10 : 1));
    },
  };
}

/** Returns the position of a pointer from the top left corner of the viewport. */
function spotOf({ currentTarget, clientX, clientY }: PointerEvent<SVGElement>): Spot {
  const { left, top } = currentTarget.ownerSVGElement?.getBoundingClientRect() ?? { left: 0, top: 0 };
  return [clientX - left, clientY - top];
}

const directionTo = (from: Spot, to: Spot): number => (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI;

const gap = 12;

function lineFrom([dx, dy]: Spot, size: Size, [x, y]: Spot): string {
  const far = size.width + size.height + Math.hypot(x, y);
  const point = (along: number) => `${x + dx * along} ${y + dy * along}`;
  return `M${point(-far)}L${point(-gap)}M${point(gap)}L${point(far)}`;
}

function edgeAt([dx, dy]: Spot, size: Size, [x, y]: Spot, by: number): string {
  const far = size.width + size.height + Math.hypot(x, y);
  const point = (along: number) => `${x - dy * by + dx * along} ${y + dx * by + dy * along}`;
  return `M${point(-far)}L${point(far)}`;
}

// The sides are covered by orientation letters, the lower edge by the slider through the slices.
const inset = { left: 34, right: 34, top: 40, bottom: 58 };

/**
 * Returns the points at which a line through `at` leaves the free part of a viewport, backwards and forwards; null for
 * an end that is too near to be grabbed, or if the line is outside.
 */
function endsOf([dx, dy]: Spot, size: Size, [x, y]: Spot): readonly [Spot | null, Spot | null] | null {
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
  const end = (along: number): Spot => [x + dx * along, y + dy * along];
  return [least < -near ? end(least) : null, most > near ? end(most) : null];
}
