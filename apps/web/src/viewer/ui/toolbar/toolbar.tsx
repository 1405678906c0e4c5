import { Menu, Tooltip, UnstyledButton } from "@mantine/core";
import { IconCaretDownFilled, type Icon } from "@tabler/icons-react";
import type { ComponentPropsWithRef, ReactNode } from "react";
import styles from "./toolbar.module.css";

export const ToolbarGap = () => <span className={styles.gap} aria-hidden />;

interface ToolFaceProps extends ComponentPropsWithRef<"button"> {
  label: string;
  icon: Icon;
  isOn?: boolean | undefined;
  /** True if the button opens something below it. */
  opens?: boolean;
}

/** The look of every button in a toolbar: an icon with its label below, which small bars in a viewport leave out. */
export const ToolFace = ({ label, icon: Icon, isOn = false, opens = false, ...rest }: ToolFaceProps) => (
  <UnstyledButton
    {...rest}
    className={styles.tool ?? ""}
    data-on={isOn || undefined}
    aria-label={rest["aria-label"] ?? label}
  >
    <Icon size={20} stroke={1.6} aria-hidden />
    <span className={styles.label} aria-hidden>
      {label}
    </span>
    {opens && <IconCaretDownFilled size={9} aria-hidden className={styles.caret} />}
  </UnstyledButton>
);

interface ToolButtonProps {
  label: string;
  icon: Icon;
  onPress: () => void;
  /** The shortcut, as `useShortcuts` names it. */
  keys?: string;
  /** Tells in one sentence how the tool is used. */
  about?: string | undefined;
  /** A tool or switch indicates its state; a button that acts has none. */
  isOn?: boolean;
  disabled?: boolean;
}

export function ToolButton({ label, icon, onPress, keys, about, isOn, disabled }: ToolButtonProps) {
  return (
    <Tooltip
      label={<ToolTooltip label={label} keys={keys} about={about} />}
      openDelay={300}
      position="bottom"
      events={tooltipEvents}
      multiline
      maw={280}
      withArrow
    >
      <ToolFace
        label={label}
        icon={icon}
        isOn={isOn}
        onClick={onPress}
        disabled={disabled ?? false}
        aria-pressed={isOn}
        aria-keyshortcuts={keys?.replace("Ctrl", "Control")}
      />
    </Tooltip>
  );
}

const tooltipEvents = { hover: true, focus: true, touch: false };

export interface ToolMenuItem {
  key: string;
  label: string;
  keys?: string;
  isOn?: boolean;
  /** A drawing before the label. */
  sign?: ReactNode;
  onPress: () => void;
}

interface ToolMenuProps {
  label: string;
  icon: Icon;
  items: readonly ToolMenuItem[];
}

export function ToolMenu({ label, icon, items }: ToolMenuProps) {
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
        <ToolFace label={label} icon={icon} title={label} opens />
      </Menu.Target>
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
    </Menu>
  );
}

interface ToolTooltipProps {
  label: string;
  keys: string | undefined;
  about: string | undefined;
}

const ToolTooltip = ({ label, keys, about }: ToolTooltipProps) => (
  <span>
    {label} {keys && <kbd className={styles.key}>{keys}</kbd>}
    {about && <span className={styles.about}>{about}</span>}
  </span>
);
