import { ActionIcon, Menu } from "@mantine/core";
import { IconTextSize } from "@tabler/icons-react";
import { changeLook, sizes, useLook } from "../kernel/look.ts";
import type { Size } from "../kernel/look.ts";
import { useTexts } from "../kernel/texts.ts";

/** Scales the interface. */
export function SizeMenu() {
  const t = useTexts("shell");
  const { size } = useLook();
  return (
    <Menu position="bottom" width={150}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={38} aria-label={t("shell.size")} title={t("shell.size")}>
          <IconTextSize size={20} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={size} onChange={(next) => changeLook({ size: next as Size })}>
          {sizes.map((one) => (
            <Menu.RadioItem key={one} value={one} closeMenuOnClick>
              {t(`shell.sizes.${one}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
