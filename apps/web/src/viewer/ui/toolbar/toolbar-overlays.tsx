import { FocusTrap, Loader, Menu, Popover } from "@mantine/core";
import type { PopoverProps } from "@mantine/core";
import { Suspense, type ReactNode } from "react";
import { AnchoredMenu, AnchoredPopover } from "../../../ui/overlays/anchored-overlays.tsx";
import type { DropdownState } from "../../../ui/overlays/use-lazy-dropdown.ts";
import type { ToolMenuItem } from "./toolbar.tsx";
import styles from "./toolbar.module.css";

// The menus and popovers of a viewer's toolbar, loaded when the pointer or the focus reaches one of its buttons.

const look = {
  shadow: "md",
  withinPortal: false,
  keepMounted: false,
  transitionProps: { duration: 0 },
  floatingStrategy: "fixed",
} as const;

export const ToolMenuItems = ({ items, ...dropdown }: DropdownState & { items: readonly ToolMenuItem[] }) => (
  <AnchoredMenu {...look} position="bottom-start" menuItemTabIndex={0} {...dropdown}>
    <Menu.Dropdown>
      {items.map((item) => (
        <Menu.Item
          key={item.key}
          onClick={item.onPress}
          leftSection={item.sign}
          rightSection={item.keys && <kbd className={styles.key}>{item.keys}</kbd>}
          fw={item.isOn ? 700 : undefined}
        >
          {item.label}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </AnchoredMenu>
);

interface ToolPopoverProps extends DropdownState, Pick<PopoverProps, "position"> {
  label: string;
  /** True if the dialog is named after what it shows, and not after the button. */
  hasOwnName?: boolean;
  isWithoutPadding?: boolean;
  /** May be loaded when it is shown. */
  children: ReactNode;
}

/** A form or list that holds the focus, while it is being loaded, too. */
export const ToolPopover = ({
  label,
  hasOwnName = false,
  isWithoutPadding = false,
  children,
  ...popover
}: ToolPopoverProps) => (
  <AnchoredPopover {...look} returnFocus withRoles={!hasOwnName} {...popover}>
    <Popover.Dropdown aria-label={label} {...(hasOwnName && { role: "dialog" })} {...(isWithoutPadding && { p: 0 })}>
      <Suspense fallback={<Loader size="sm" />}>
        <FocusTrap>
          {/* Takes the focus itself if nothing in it can yet, such as while a list is being fetched. */}
          <div tabIndex={-1} style={{ outline: 0 }}>
            {children}
          </div>
        </FocusTrap>
      </Suspense>
    </Popover.Dropdown>
  </AnchoredPopover>
);
