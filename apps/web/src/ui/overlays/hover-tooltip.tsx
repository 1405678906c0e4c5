import { cloneElement, useEffect, useId, useState } from "react";
import type { FocusEvent, PointerEvent, ReactElement, ReactNode } from "react";
import type { AnchoredTooltip, TooltipLook } from "./anchored-overlays.tsx";

/** A pointer that only passes shows nothing. */
const openDelay = 250;

interface TargetProps {
  "aria-describedby"?: string | undefined;
  onPointerEnter?: ((event: PointerEvent<HTMLElement>) => void) | undefined;
  onPointerLeave?: ((event: PointerEvent<HTMLElement>) => void) | undefined;
  onFocus?: ((event: FocusEvent<HTMLElement>) => void) | undefined;
  onBlur?: ((event: FocusEvent<HTMLElement>) => void) | undefined;
}

interface Props extends TooltipLook {
  label: ReactNode;
  disabled?: boolean;
  /** True if the keyboard's focus shows it, too: for labels that say more than the name of the element. */
  showsOnFocus?: boolean;
  /** An element that passes its handlers on. */
  children: ReactElement<TargetProps>;
}

/**
 * A tooltip whose code is loaded when the pointer first enters such an element. A finger shows none. Code that cannot
 * be fetched shows none either, and is asked for again at the next time: `lazy` would keep the failure and end the page.
 */
export function HoverTooltip({ label, disabled = false, showsOnFocus = false, children, ...look }: Props) {
  const id = useId();
  const [anchor, setAnchor] = useState<{ target: HTMLElement; by: "pointer" | "focus" } | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [code, setCode] = useState<{ Tooltip: typeof AnchoredTooltip } | null>(null);
  useEffect(() => {
    if (!anchor) return;
    const { target, by } = anchor;
    import("./anchored-overlays.tsx").then(
      (loaded) => setCode({ Tooltip: loaded.AnchoredTooltip }),
      () => {},
    );
    const timer = setTimeout(() => setOpen(true), by === "pointer" ? openDelay : 0);
    const closeOnEscape = ({ key }: KeyboardEvent) => key === "Escape" && setAnchor(null);
    // A button that was disabled by its press does not tell that the pointer leaves it.
    const closeElsewhere = (event: Event) =>
      by === "pointer" && !event.composedPath().includes(target) && setAnchor(null);
    window.addEventListener("keydown", closeOnEscape);
    window.addEventListener("pointerover", closeElsewhere);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("keydown", closeOnEscape);
      window.removeEventListener("pointerover", closeElsewhere);
      setOpen(false);
    };
  }, [anchor]);
  const isShown = anchor !== null && isOpen && !disabled && code !== null;
  const own = children.props;
  const child = cloneElement(children, {
    ...(isShown && { "aria-describedby": id }),
    onPointerEnter: (event) => {
      if (event.pointerType !== "touch") setAnchor({ target: event.currentTarget, by: "pointer" });
      own.onPointerEnter?.(event);
    },
    onPointerLeave: (event) => {
      setAnchor(null);
      own.onPointerLeave?.(event);
    },
    onFocus: (event) => {
      if (showsOnFocus && event.currentTarget.matches(":focus-visible"))
        setAnchor({ target: event.currentTarget, by: "focus" });
      own.onFocus?.(event);
    },
    onBlur: (event) => {
      setAnchor(null);
      own.onBlur?.(event);
    },
  });
  return (
    <>
      {child}
      {isShown && <code.Tooltip id={id} target={anchor.target} label={label} {...look} />}
    </>
  );
}
