import { ActionIcon, Menu } from "@mantine/core";
import { IconTextSize } from "@tabler/icons-react";
import { changeAppearance, interfaceSizes, useAppearance } from "../../browser/appearance.ts";
import type { InterfaceSize } from "../../browser/appearance.ts";
import { useTexts } from "../../i18n/texts.ts";

/** Scales the interface. */
export function SizeMenu() {
  const t = useTexts("shell");
  const { size } = useAppearance();
  return (
    <Menu position="bottom" width={150}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={38} aria-label={t("shell.size")} title={t("shell.size")}>
          <IconTextSize size={20} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={size} onChange={(next) => changeAppearance({ size: next as InterfaceSize })}>
          {interfaceSizes.map((one) => (
            <Menu.RadioItem key={one} value={one} closeMenuOnClick>
              {t(`shell.sizes.${one}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
