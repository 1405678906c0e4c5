import type { Icon } from "@tabler/icons-react";
import { lazy, Suspense, useEffect, type ReactNode } from "react";
import { useLazyDropdown } from "../../../ui/overlays/use-lazy-dropdown.ts";
import { isReservedKey } from "../input/shortcuts.ts";
import { ToolFace } from "./toolbar.tsx";

export const loadToolPopover = () => import("./toolbar-overlays.tsx");
export const ToolPopover = lazy(async () => ({ default: (await loadToolPopover()).ToolPopover }));

interface Props {
  label: string;
  icon: Icon;
  /** True if its setting is in effect. */
  isOn?: boolean;
  /** May be loaded when it is opened. */
  children: ReactNode;
}

/** A button of the toolbar that opens a small form under it. */
export function ToolPanel({ label, icon, isOn, children }: Props) {
  const { button, dropdown, isUsed } = useLazyDropdown<HTMLButtonElement>(loadToolPopover, "dialog");
  useCloseOnEscape(dropdown.opened, dropdown.onChange);
  return (
    <>
      <ToolFace label={label} icon={icon} isOn={isOn} title={label} opens {...button} />
      {isUsed && (
        <Suspense>
          <ToolPopover label={label} position="bottom-start" {...dropdown}>
            {children}
          </ToolPopover>
        </Suspense>
      )}
    </>
  );
}

/**
 * Closes the panel before Escape does anything else on the page: the button that had the focus may be gone, and the
 * image behind would take the key.
 */
function useCloseOnEscape(isOpen: boolean, setOpen: (isOpen: boolean) => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const listen = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || isReservedKey(event)) return;
      event.preventDefault();
      setOpen(false);
    };
    document.addEventListener("keydown", listen, { capture: true });
    return () => document.removeEventListener("keydown", listen, { capture: true });
  }, [isOpen, setOpen]);
}
