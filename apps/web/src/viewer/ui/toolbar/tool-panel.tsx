import { FocusTrap, Loader, Popover } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import { Suspense, type ReactNode } from "react";
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
export const ToolPanel = ({ label, icon, isOn, children }: Props) => (
  <Popover
    position="bottom-start"
    shadow="md"
    withinPortal={false}
    keepMounted={false}
    transitionProps={{ duration: 0 }}
    floatingStrategy="fixed"
    returnFocus
  >
    <Popover.Target>
      <ToolFace label={label} icon={icon} isOn={isOn} title={label} opens />
    </Popover.Target>
    <Popover.Dropdown aria-label={label}>
      <ToolPanelContent>{children}</ToolPanelContent>
    </Popover.Dropdown>
  </Popover>
);

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
