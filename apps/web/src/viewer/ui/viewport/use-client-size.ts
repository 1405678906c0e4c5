import { useEffect, useState, type RefObject } from "react";
import type { Size } from "@arcada/imaging/view/image-view";

/** The size of an element in CSS pixels; null until it is known or while it has no area. */
export function useClientSize(target: RefObject<Element | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useEffect(() => {
    const element = target.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry?.contentRect ?? { width: 0, height: 0 };
      setSize(width > 0 && height > 0 ? { width, height } : null);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [target]);
  return size;
}
