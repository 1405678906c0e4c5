import { UnstyledButton } from "@mantine/core";
import { IconCaretDownFilled, type Icon } from "@tabler/icons-react";
import { lazy, Suspense, type ComponentPropsWithRef, type ReactNode } from "react";
import { HoverTooltip } from "../../../ui/overlays/hover-tooltip.tsx";
import { useLazyDropdown } from "../../../ui/overlays/use-lazy-dropdown.ts";
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
    <HoverTooltip
      label={<ToolTooltip label={label} keys={keys} about={about} />}
      position="bottom"
      showsOnFocus
      multiline
      maw={280}
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
    </HoverTooltip>
  );
}

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
  const { button, menu } = useToolMenu(items);
  return (
    <>
      <ToolFace label={label} icon={icon} title={label} opens {...button} />
      {menu}
    </>
  );
}

const loadMenu = () => import("./toolbar-overlays.tsx");
const ToolMenuItems = lazy(async () => ({ default: (await loadMenu()).ToolMenuItems }));

/** Returns the properties of a button that opens these items below it, and the menu, to be rendered beside the button. */
export function useToolMenu(items: readonly ToolMenuItem[]) {
  const { button, dropdown, isUsed } = useLazyDropdown<HTMLButtonElement>(loadMenu, "menu");
  const menu = isUsed && (
    <Suspense>
      <ToolMenuItems items={items} {...dropdown} />
    </Suspense>
  );
  return { button, menu };
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
