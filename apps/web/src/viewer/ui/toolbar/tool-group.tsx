import { ActionIcon, Menu } from "@mantine/core";
import { IconCaretDownFilled, type Icon } from "@tabler/icons-react";
import { useTexts } from "../../../i18n/texts.ts";
import styles from "./toolbar.module.css";
import type { ToolItems, ToolName } from "./tool-buttons.tsx";

interface Props<N extends ToolName> {
  label: string;
  icon: Icon;
  rows: ToolItems<N>;
  now: string;
  onTool: (name: N) => void;
}

/** Tools behind one button of the toolbar; it shows the selected one. */
export function ToolGroup<N extends ToolName>({ label, icon, rows, now, onTool }: Props<N>) {
  const t = useTexts("viewer");
  const selected = rows.find(({ name }) => name === now);
  const Sign = selected?.icon ?? icon;
  const name = selected ? `${label}: ${t(`viewer.tool.${selected.name}`)}` : label;
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
        <ActionIcon
          size={36}
          variant={selected ? "filled" : "subtle"}
          color={selected ? undefined : "gray"}
          aria-label={name}
          title={name}
          className={styles.group ?? ""}
        >
          <Sign size={20} stroke={1.6} aria-hidden />
          <IconCaretDownFilled size={9} aria-hidden className={styles.caret} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {rows.map((row) => (
          <Menu.Item
            key={row.name}
            onClick={() => onTool(row.name)}
            leftSection={<row.icon size={18} stroke={1.6} aria-hidden />}
            rightSection={<kbd className={styles.key}>{row.keys}</kbd>}
            fw={row.name === now ? 700 : undefined}
          >
            {t(`viewer.tool.${row.name}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
