import { Menu } from "@mantine/core";
import { useTexts } from "../../i18n/texts.ts";
import { AnchoredMenu } from "../../ui/overlays/anchored-overlays.tsx";
import type { DropdownState } from "../../ui/overlays/use-lazy-dropdown.ts";

interface Props extends DropdownState {
  title: string;
  onRefresh: () => void;
  /** Undefined for the start page, which stays. */
  onClose: (() => void) | undefined;
  onCloseOthers: () => void;
  onCloseAll: () => void;
}

/** The menu of one tab: load its page again, close it, or close others. */
export function PageTabMenu({ title, onRefresh, onClose, onCloseOthers, onCloseAll, ...dropdown }: Props) {
  const t = useTexts("shell");
  return (
    <AnchoredMenu width={105} position="bottom-start" {...dropdown}>
      <Menu.Dropdown aria-label={t("shell.tag.menu", { title })}>
        <Menu.Item onClick={onRefresh}>{t("shell.tag.refresh")}</Menu.Item>
        {onClose && <Menu.Item onClick={onClose}>{t("shell.tag.close")}</Menu.Item>}
        <Menu.Item onClick={onCloseOthers}>{t("shell.tag.closeOthers")}</Menu.Item>
        <Menu.Item onClick={onCloseAll}>{t("shell.tag.closeAll")}</Menu.Item>
      </Menu.Dropdown>
    </AnchoredMenu>
  );
}
