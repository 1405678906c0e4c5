import { FocusTrap, Loader, Popover } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import { Suspense, useEffect, useState, type ReactNode } from "react";
import { isReservedKey } from "../input/shortcuts.ts";
import { ToolFace } from "./toolbar.tsx";

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
  const [isOpen, setOpen] = useState(false);
  useCloseOnEscape(isOpen, setOpen);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      shadow="md"
      withinPortal={false}
      keepMounted={false}
      transitionProps={{ duration: 0 }}
      floatingStrategy="fixed"
      returnFocus
    >
      <Popover.Target>
        <ToolFace label={label} icon={icon} isOn={isOn} title={label} opens onClick={() => setOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <ToolPanelContent>{children}</ToolPanelContent>
      </Popover.Dropdown>
    </Popover>
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

/** A form that holds the focus, while it is being loaded, too. */
export const ToolPanelContent = ({ children }: { children: ReactNode }) => (
  <Suspense fallback={<Loader size="sm" />}>
    <FocusTrap>
      {/* Takes the focus itself if nothing in it can yet, such as while a list is being fetched. */}
      <div tabIndex={-1} style={{ outline: 0 }}>
        {children}
      </div>
    </FocusTrap>
  </Suspense>
);
