import { ActionIcon, FocusTrap, Loader, Popover } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import { Suspense, type ReactNode } from "react";

interface Props {
  label: string;
  icon: Icon;
  /** True if its setting is in effect. */
  isOn?: boolean;
  /** May be loaded when it is opened. */
  children: ReactNode;
}

/** A button of the toolbar that opens a small form under it. */
export const ToolPanel = ({ label, icon: Sign, isOn, children }: Props) => (
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
      <ActionIcon
        size={36}
        variant={isOn ? "light" : "subtle"}
        color={isOn ? undefined : "gray"}
        aria-label={label}
        title={label}
      >
        <Sign size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Popover.Target>
    <Popover.Dropdown aria-label={label}>
      <Suspense fallback={<Loader size="sm" />}>
        <FocusTrap>
          {/* Takes the focus itself if nothing in it can yet, such as while a list is being fetched. */}
          <div tabIndex={-1} style={{ outline: 0 }}>
            {children}
          </div>
        </FocusTrap>
      </Suspense>
    </Popover.Dropdown>
  </Popover>
);
