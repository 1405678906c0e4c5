import { useRef, type KeyboardEvent, type PointerEvent } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { projectToScreen } from "@arcada/imaging/view/model-camera";
import type { Vector } from "@arcada/imaging/geometry/vector";
import { isOccluded, type PickableScene, type PickedPoint } from "../pick-point.ts";
import styles from "./pins.module.css";
import type { Pins } from "./use-pins.ts";

interface Props {
  pins: Pins;
  scene: PickableScene;
  pick: (at: Point2D) => PickedPoint | null;
  onOpen: (id: string) => void;
}

/** Numbered pins over the models; a pin behind a surface is hidden unless it is selected. */
export function PinLayer({ pins, scene, pick, onOpen }: Props) {
  const t = useTexts("viewer");
  const { camera, size, displaySettings } = scene;
  const at = (point: Vector) => projectToScreen(camera, size, point);
  const place = pins.draft?.id === null ? pins.draft.place : null;
  const shown = pins.list.flatMap((pin) => {
    const isChosen = pin.id === pins.chosen;
    const isHidden = !displaySettings.get(pin.model)?.isVisible || isOccluded(scene, pin.point);
    return isHidden && !isChosen ? [] : [{ pin, isChosen, isHidden }];
  });
  return (
    <div className={styles.layer}>
      {shown.map(({ pin, isChosen, isHidden }) => (
        <PinButton
          key={pin.id}
          at={at(pin.point)}
          label={t("viewer.model.pins.pin", { number: pin.number, words: pin.text })}
          number={pin.number}
          className={`${styles.pin} ${isChosen ? (styles.now ?? "") : ""} ${isHidden ? (styles.behind ?? "") : ""} ${pin.isSettled ? (styles.settled ?? "") : ""}`}
          isChosen={isChosen}
          onOpen={() => onOpen(pin.id)}
          onMove={(to) => pins.move(pin.id, pick(to))}
        />
      ))}
      {place && (
        <span className={`${styles.pin} ${styles.now ?? ""}`} style={placed(at(place.point))}>
          +
        </span>
      )}
    </div>
  );
}

const placed = ([x, y]: Point2D) => ({ transform: `translate(${x - 14}px, ${y - 28}px)` });

interface ButtonProps {
  at: Point2D;
  label: string;
  number: number;
  className: string;
  isChosen: boolean;
  onOpen: () => void;
  onMove: (to: Point2D) => void;
}

function PinButton({ at, label, number, className, isChosen, onOpen, onMove }: ButtonProps) {
  const dragOffset = useRef<Point2D | null>(null);
  const press = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    dragOffset.current = [at[0] - event.clientX, at[1] - event.clientY];
    onOpen();
  };
  const release = (event: PointerEvent) => {
    const held = dragOffset.current;
    dragOffset.current = null;
    const to: Point2D | null = held && [event.clientX + held[0], event.clientY + held[1]];
    if (to && Math.hypot(to[0] - at[0], to[1] - at[1]) > 5) onMove(to);
  };
  const byKey = (event: KeyboardEvent) => {
    const direction = isChosen && arrowDirections[event.key];
    if (!direction) return;
    event.preventDefault();
    const far = event.shiftKey ? 10 : 1;
    onMove([at[0] + direction[0] * far, at[1] + direction[1] * far]);
  };
  return (
    <button
      type="button"
      className={className}
      style={placed(at)}
      data-holds-press
      aria-label={label}
      aria-pressed={isChosen}
      title={label}
      onPointerDown={press}
      onPointerUp={release}
      onFocus={onOpen}
      onKeyDown={byKey}
    >
      {number}
    </button>
  );
}

const arrowDirections: Record<string, Point2D> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
