import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import { IconCheck, IconTextSize } from "@tabler/icons-react";
import { changeLook, sizes, useLook } from "../kernel/look.ts";
import { useTexts } from "../kernel/texts.ts";

/** Everything a little smaller or larger. */
export function SizeMenu() {
  const t = useTexts("shell");
  const { size } = useLook();
  return (
    <Menu position="bottom" width={150}>
      <Menu.Target>
        <Tooltip label={t("shell.size")}>
          <ActionIcon variant="subtle" color="gray" size={38} aria-label={t("shell.size")}>
            <IconTextSize size={20} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {sizes.map((one) => (
          <Menu.Item
            key={one}
            role="menuitemradio"
            aria-checked={one === size}
            rightSection={one === size ? <IconCheck size={16} /> : undefined}
            onClick={() => changeLook({ size: one })}
          >
            {t(`shell.sizes.${one}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
