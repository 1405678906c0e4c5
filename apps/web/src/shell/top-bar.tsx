import { ActionIcon, Box, Burger, Group, Tooltip } from "@mantine/core";
import { useFullscreenDocument } from "@mantine/hooks";
import { IconLanguage, IconMaximize, IconMinimize, IconPalette } from "@tabler/icons-react";
import { Suspense, lazy, useState } from "react";
import { homeOf } from "@arcada/contract/screens";
import { useRole } from "../kernel/session.ts";
import { useTexts } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { NoticeBell } from "../notice/notice-bell.tsx";
import { Logo } from "../ui/logo.tsx";
import { InstitutionSwitcher } from "./institution-switcher.tsx";
import { UserMenu } from "./user-menu.tsx";
import { YourTurn } from "./your-turn.tsx";
import classes from "./top-bar.module.css";

const LanguageDialog = lazy(async () => ({ default: (await import("./language-dialog.tsx")).LanguageDialog }));

interface Props {
  isSmall: boolean;
  isOpen: boolean;
  onToggle: () => void;
  onSettings: () => void;
}

export function TopBar({ isSmall, isOpen, onToggle, onSettings }: Props) {
  const t = useTexts("shell");
  const role = useRole();
  const [isChoosing, setChoosing] = useState(false);
  return (
    <div className={classes.bar}>
      <Burger
        opened={isSmall && isOpen}
        onClick={onToggle}
        size="sm"
        aria-label={t(isOpen ? "shell.closeSidebar" : "shell.openSidebar")}
        aria-expanded={isOpen}
      />
      <a href={role ? homeOf(role) : "/"} className={classes.mark} title={t("shell.home")}>
        <Logo bare={isSmall} />
      </a>
      <InstitutionSwitcher />
      <Box className={classes.space} />
      <Group gap={isSmall ? 2 : 6} wrap="nowrap">
        <YourTurn />
        {!isSmall && <FullScreenButton />}
        {!isSmall && (
          <Tooltip label={t("shell.settings")}>
            <ActionIcon variant="subtle" color="gray" size={38} onClick={onSettings} aria-label={t("shell.settings")}>
              <IconPalette size={20} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        )}
        {!isSmall && (
          <Tooltip label={t("shell.language")}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={38}
              onClick={() => setChoosing(true)}
              aria-label={t("shell.language")}
            >
              <IconLanguage size={20} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        )}
        <NoticeBell />
        <UserMenu isSmall={isSmall} onLanguage={() => setChoosing(true)} onSettings={onSettings} />
      </Group>
      <Suspense>{isChoosing && <LanguageDialog opened onClose={() => setChoosing(false)} />}</Suspense>
    </div>
  );
}

function FullScreenButton() {
  const t = useTexts("shell");
  const { toggle, fullscreen } = useFullscreenDocument();
  const Icon = fullscreen ? IconMinimize : IconMaximize;
  const label = t(fullscreen ? "shell.fullScreenOff" : "shell.fullScreen");
  const change = () => {
    if (!document.fullscreenEnabled) return toast("error", t("shell.fullScreenFails"));
    toggle().catch(() => toast("error", t("shell.fullScreenFails")));
  };
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size={38} onClick={change} aria-label={label}>
        <Icon size={20} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}
