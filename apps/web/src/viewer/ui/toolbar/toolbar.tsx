import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import styles from "./toolbar.module.css";

/** The row of tools; it scrolls sideways where it is narrow. */
export function Toolbar({ children }: { children: ReactNode }) {
  const t = useTexts("viewer");
  return (
    <div className={styles.toolbar} role="toolbar" aria-label={t("viewer.tools")}>
      {children}
    </div>
  );
}

export const ToolbarGap = () => <span className={styles.gap} aria-hidden />;

interface ToolButtonProps {
  label: string;
  icon: Icon;
  onPress: () => void;
  /** The shortcut, as `useShortcuts` names it. */
  keys?: string;
  /** A tool or switch indicates its state; a button that acts has none. */
  isOn?: boolean;
  disabled?: boolean;
}

export function ToolButton({ label, icon: Icon, onPress, keys, isOn, disabled }: ToolButtonProps) {
  return (
    <Tooltip label={<ToolTooltip label={label} keys={keys} />} openDelay={300} position="bottom" withArrow>
      <ActionIcon
        size={36}
        variant={isOn ? "filled" : "subtle"}
        color={isOn ? undefined : "gray"}
        onClick={onPress}
        disabled={disabled ?? false}
        aria-label={label}
        aria-pressed={isOn}
        aria-keyshortcuts={keys?.replace("Ctrl", "Control")}
      >
        <Icon size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

export interface ToolMenuItem {
  key: string;
  label: string;
  keys?: string;
  isOn?: boolean;
  onPress: () => void;
}

interface ToolMenuProps {
  label: string;
  icon: Icon;
  items: readonly ToolMenuItem[];
}

export function ToolMenu({ label, icon: Icon, items }: ToolMenuProps) {
  return (
    <Menu
      position="bottom-start"
      shadow="md"
      withinPortal={false}
      keepMounted={false}
      menuItemTabIndex={0}
      transitionProps={{ duration: 0 }}
      floatingStrategy="fixed"
    >
      <Menu.Target>
        <ActionIcon size={36} variant="subtle" color="gray" aria-label={label} title={label}>
          <Icon size={20} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map((item) => (
          <Menu.Item
            key={item.key}
            onClick={item.onPress}
            rightSection={item.keys && <kbd className={styles.key}>{item.keys}</kbd>}
            fw={item.isOn ? 700 : undefined}
          >
            {item.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const ToolTooltip = ({ label, keys }: { label: string; keys: string | undefined }) => (
  <span>
    {label} {keys && <kbd className={styles.key}>{keys}</kbd>}
  </span>
);
