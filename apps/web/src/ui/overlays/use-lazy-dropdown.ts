import { useRef, useState } from "react";
import type { RefObject } from "react";

/** The part of a dropdown that its button knows before its code is loaded. */
export interface DropdownState {
  anchor: RefObject<HTMLElement | null>;
  opened: boolean;
  onChange: (opened: boolean) => void;
}

/**
 * The state of a menu or popover whose code is not loaded with the page. The pointer or the focus on the button begins
 * to load it, so that it is there at the click. `isUsed` turns true at the first click and stays: the dropdown is
 * rendered from then on, because it plays its end.
 */
export function useLazyDropdown<Button extends HTMLElement>(load: () => Promise<unknown>, popup: "menu" | "dialog") {
  const anchor = useRef<Button>(null);
  const [opened, setOpened] = useState(false);
  const [isUsed, setUsed] = useState(false);
  // The click meets the same error again and shows it.
  const preload = () => void load().catch(() => {});
  const onChange = (next: boolean) => {
    setUsed(true);
    setOpened(next);
  };
  const button = {
    ref: anchor,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () => onChange(!opened),
    "aria-haspopup": popup,
    "aria-expanded": opened,
  } as const;
  const dropdown: DropdownState = { anchor, opened, onChange };
  return { button, dropdown, isUsed };
}
