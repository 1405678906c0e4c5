import { ActionIcon, Box, Burger, Group, Tooltip } from "@mantine/core";
import { IconLanguage, IconMaximize, IconMinimize, IconPalette, IconSearch } from "@tabler/icons-react";
import { Suspense, lazy, useState } from "react";
import type { ComponentType } from "react";
import { homePathOf } from "@arcada/contract/screens";
import { errorLog } from "../error-log.ts";
import { useRole } from "../../session/current-user.ts";
import { useStore } from "../../browser/external-store.ts";
import { useTexts } from "../../i18n/texts.ts";
import { NoticeBell } from "../../notice/notice-bell.tsx";
import { Logo } from "../../ui/logo.tsx";
import { useFullScreen } from "./use-full-screen.ts";
import { InstitutionSwitcher } from "./institution-switcher.tsx";
import { showOverlay } from "../overlays/overlay-state.ts";
import { SizeMenu } from "./size-menu.tsx";
import { NetworkSpeedButton } from "./network-speed-button.tsx";
import { UploadsButton } from "./uploads-button.tsx";
import { UserMenu } from "./user-menu.tsx";
import { PendingOrdersLink } from "./pending-orders-link.tsx";
import classes from "./top-bar.module.css";

interface Props {
  isSmall: boolean;
  isOpen: boolean;
  onToggle: () => void;
}

export function TopBar({ isSmall, isOpen, onToggle }: Props) {
  const t = useTexts("shell");
  const role = useRole();
  return (
    <div className={classes.bar}>
      <Burger
        opened={isSmall && isOpen}
        onClick={onToggle}
        size="sm"
        aria-label={t(isOpen ? "shell.closeSidebar" : "shell.openSidebar")}
        aria-expanded={isOpen}
      />
      <a href={role ? homePathOf(role) : "/"} className={classes.mark} title={t("shell.home")}>
        <Logo iconOnly={isSmall} />
      </a>
      <InstitutionSwitcher />
      <Box className={classes.space} />
      <Group gap={isSmall ? 2 : 4} wrap="nowrap" flex="none">
        <ErrorLogSlot />
        <UploadsButton />
        <PendingOrdersLink />
        {!isSmall && <Tools />}
        <NoticeBell />
        <UserMenu isSmall={isSmall} />
      </Group>
    </div>
  );
}

// Loaded when an error occurred.
const ErrorLogButton = lazy(async () => ({ default: (await import("./error-log-button.tsx")).ErrorLogButton }));
function ErrorLogSlot() {
  const hasErrors = useStore(errorLog).length > 0;
  const [hasHadErrors, setHadErrors] = useState(hasErrors);
  if (hasErrors && !hasHadErrors) setHadErrors(true);
  return <Suspense>{hasHadErrors && <ErrorLogButton />}</Suspense>;
}

/** The tools of the top bar. A small screen has them in the user's menu instead. */
function Tools() {
  const t = useTexts("shell");
  const { isFull, change, label } = useFullScreen();
  return (
    <>
      <Tool label={t("shell.search.title")} Icon={IconSearch} onClick={() => showOverlay("search")} keys="Control+K" />
      <NetworkSpeedButton />
      <Tool label={label} Icon={isFull ? IconMinimize : IconMaximize} onClick={change} />
      <SizeMenu />
      <Tool label={t("shell.skin")} Icon={IconPalette} onClick={() => showOverlay("settings")} />
      <Tool label={t("shell.language")} Icon={IconLanguage} onClick={() => showOverlay("language")} />
    </>
  );
}

interface ToolProps {
  label: string;
  Icon: ComponentType<{ size?: number; stroke?: number }>;
  onClick: () => void;
  keys?: string;
}

const Tool = ({ label, Icon, onClick, keys }: ToolProps) => (
  <Tooltip label={label}>
    <ActionIcon variant="subtle" color="gray" size={38} onClick={onClick} aria-label={label} aria-keyshortcuts={keys}>
      <Icon size={20} stroke={1.6} />
    </ActionIcon>
  </Tooltip>
);
