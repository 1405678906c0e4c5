import { useRef, useState } from "react";
import type { RefObject } from "react";
import { toast } from "../../browser/toast.ts";
import { getText } from "../../i18n/texts.ts";

/** The part of a dropdown that its button knows before its code is loaded. */
export interface DropdownState {
  anchor: RefObject<HTMLElement | null>;
  opened: boolean;
  onChange: (opened: boolean) => void;
}

/**
 * The state of a menu or popover whose code is not loaded with the page. The pointer or the focus on the button begins
 * to load it, so that it is there at the click. `isUsed` turns true when the code is there after a click, and stays: the
 * dropdown is rendered from then on, because it plays its end. If the code cannot be fetched, the dropdown closes and a
 * toast says so; the next click tries again.
 */
export function useLazyDropdown<Button extends HTMLElement>(load: () => Promise<unknown>, popup: "menu" | "dialog") {
  const anchor = useRef<Button>(null);
  const [opened, setOpened] = useState(false);
  const [isUsed, setUsed] = useState(false);
  // The click meets the same error again and reports it.
  const preload = () => void load().catch(() => {});
  const onChange = (next: boolean) => {
    setOpened(next);
    if (!next || isUsed) return;
    // React's `lazy`, which renders the dropdown, keeps a failure for ever and would end the page.
    load().then(
      () => setUsed(true),
      () => {
        setOpened(false);
        toast("error", getText("common.state.errorTitle"));
      },
    );
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
