import { Suspense, cloneElement, lazy, useEffect, useState } from "react";
import type { MouseEvent, ReactElement } from "react";

const load = () => import("./anchored-overlays.tsx");
const AnchoredTooltip = lazy(async () => ({ default: (await load()).AnchoredTooltip }));

/** A pointer that only passes shows nothing. */
const openDelay = 250;

interface PointerHandlers {
  onMouseEnter?: ((event: MouseEvent<HTMLElement>) => void) | undefined;
  onMouseLeave?: ((event: MouseEvent<HTMLElement>) => void) | undefined;
}

interface Props {
  label: string;
  position?: "top" | "right";
  disabled?: boolean;
  /** An element that passes its handlers on. */
  children: ReactElement<PointerHandlers>;
}

/**
 * A tooltip whose code is loaded when the pointer first enters such an element. For the frame and the first pages; on
 * pages that load the code anyway, Mantine's own is shorter.
 */
export function HoverTooltip({ label, position = "top", disabled = false, children }: Props) {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!target) return;
    void load();
    const timer = setTimeout(() => setOpen(true), openDelay);
    const close = ({ key }: KeyboardEvent) => key === "Escape" && setTarget(null);
    window.addEventListener("keydown", close);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("keydown", close);
      setOpen(false);
    };
  }, [target]);
  const { onMouseEnter, onMouseLeave } = children.props;
  const child = cloneElement(children, {
    onMouseEnter: (event) => {
      setTarget(event.currentTarget);
      onMouseEnter?.(event);
    },
    onMouseLeave: (event) => {
      setTarget(null);
      onMouseLeave?.(event);
    },
  });
  return (
    <>
      {child}
      {target && isOpen && !disabled && (
        <Suspense>
          <AnchoredTooltip target={target} label={label} position={position} />
        </Suspense>
      )}
    </>
  );
}
