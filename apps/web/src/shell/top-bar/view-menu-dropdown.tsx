import { ActionIcon, Menu } from "@mantine/core";
import {
  IconAntennaBars1,
  IconAntennaBars2,
  IconAntennaBars3,
  IconAntennaBars5,
  IconAntennaBarsOff,
  IconLanguage,
  IconMaximize,
  IconMinimize,
  IconPalette,
} from "@tabler/icons-react";
import { useFullscreenDocument } from "@mantine/hooks";
import type { ComponentType } from "react";
import { changeAppearance, interfaceSizes, useAppearance } from "../../browser/appearance.ts";
import type { InterfaceSize } from "../../browser/appearance.ts";
import { toast } from "../../browser/toast.ts";
import { useTexts } from "../../i18n/texts.ts";
import { AnchoredMenu } from "../../ui/overlays/anchored-overlays.tsx";
import type { DropdownState } from "../../ui/overlays/use-lazy-dropdown.ts";
import { showOverlay } from "../overlays/overlay-state.ts";
import { measureNetworkSpeed, useConnectionState } from "./measured-network-speed.ts";
import type { ConnectionState } from "./measured-network-speed.ts";

/** The rarely used tools: language, theme, full screen, layout size, and the speed of the connection. */
export function ViewMenuDropdown(dropdown: DropdownState) {
  const t = useTexts("shell");
  return (
    <AnchoredMenu position="bottom-end" width={260} {...dropdown}>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconLanguage size={18} stroke={1.6} />} onClick={() => showOverlay("language")}>
          {t("shell.language")}
        </Menu.Item>
        <ViewMenuItems />
      </Menu.Dropdown>
    </AnchoredMenu>
  );
}

/** The entries of the menu except for the language, which the user's menu has anyway. */
export function ViewMenuItems() {
  const t = useTexts("shell");
  const { size } = useAppearance();
  const { isFull, change, label } = useFullScreen();
  const FullScreenIcon = isFull ? IconMinimize : IconMaximize;
  return (
    <>
      <Menu.Item leftSection={<IconPalette size={18} stroke={1.6} />} onClick={() => showOverlay("settings")}>
        {t("shell.skin")}
      </Menu.Item>
      <Menu.Item leftSection={<FullScreenIcon size={18} stroke={1.6} />} onClick={change}>
        {label}
      </Menu.Item>
      <ConnectionItem />
      <Menu.Divider />
      <Menu.Label>{t("shell.size")}</Menu.Label>
      <Menu.RadioGroup value={size} onChange={(next) => changeAppearance({ size: next as InterfaceSize })}>
        {interfaceSizes.map((one) => (
          <Menu.RadioItem key={one} value={one} closeMenuOnClick>
            {t(`shell.sizes.${one}`)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

/** Toggles full screen, with a message if the browser does not support it. */
function useFullScreen() {
  const t = useTexts("shell");
  const { toggle, fullscreen } = useFullscreenDocument();
  const toggleFullScreen = () => {
    if (!document.fullscreenEnabled) return toast("error", t("shell.fullScreenFails"));
    toggle().catch(() => toast("error", t("shell.fullScreenFails")));
  };
  return {
    isFull: fullscreen,
    change: toggleFullScreen,
    label: t(fullscreen ? "shell.fullScreenOff" : "shell.fullScreen"),
  };
}

type Strength = NonNullable<ConnectionState["strength"]>;
const strengthStyles: Record<Strength, { Icon: ComponentType<{ size?: number; stroke?: number }>; colour: string }> = {
  offline: { Icon: IconAntennaBarsOff, colour: "red" },
  weak: { Icon: IconAntennaBars2, colour: "red" },
  medium: { Icon: IconAntennaBars3, colour: "yellow" },
  strong: { Icon: IconAntennaBars5, colour: "teal" },
};

/** The speed of the connection to the server. A click measures again. */
function ConnectionItem() {
  const t = useTexts("shell");
  const { strength, isBusy, text } = useConnectionState();
  const { Icon, colour } = strength ? strengthStyles[strength] : { Icon: IconAntennaBars1, colour: "gray" };
  return (
    <Menu.Item
      leftSection={
        <ActionIcon component="span" variant="transparent" color={colour} size={18} aria-hidden>
          <Icon size={18} stroke={1.8} />
        </ActionIcon>
      }
      closeMenuOnClick={false}
      disabled={isBusy || strength === "offline"}
      onClick={measureNetworkSpeed}
      data-strength={strength}
      title={t("shell.speed.again")}
    >
      {text}
    </Menu.Item>
  );
}
