import { ActionIcon, Box, Burger, Group, Tooltip, Menu, Badge } from "@mantine/core";
import {
  IconLanguage,
  IconMaximize,
  IconMinimize,
  IconPalette,
  IconSearch,
  IconTextSize,
  IconHandClick,
} from "@tabler/icons-react";
import { Suspense, lazy, useState } from "react";
import type { ComponentType } from "react";
import { homePathOf } from "@arcada/contract/screens";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { errorLog } from "../error-log.ts";
import { useRole } from "../../session/current-user.ts";
import { useStore } from "../../browser/external-store.ts";
import { useTexts } from "../../i18n/texts.ts";
import { NoticeBell } from "../../notice/notice-bell.tsx";
import { Logo } from "../../ui/logo.tsx";
import { useFullScreen } from "./use-full-screen.ts";
import { InstitutionSwitcher } from "./institution-switcher.tsx";
import { showOverlay } from "../overlays/overlay-state.ts";
import { NetworkSpeedButton } from "./network-speed-button.tsx";
import { UploadsButton } from "./uploads-button.tsx";
import { UserMenu } from "./user-menu.tsx";
import { changeAppearance, interfaceSizes, useAppearance, type InterfaceSize } from "../../browser/appearance.ts";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { useCall } from "../../data/use-call.ts";
import classes from "./top-bar.module.css";

interface Props {
  isSmall: boolean;
  isOpen: boolean;
  onToggle: () => void;
  /** False if the reader has no sidebar. */
  hasNavigation: boolean;
}

export function TopBar({ isSmall, isOpen, onToggle, hasNavigation }: Props) {
  const t = useTexts("shell");
  const role = useRole();
  return (
    <div className={classes.bar}>
      {hasNavigation && (
        <Burger
          opened={isSmall && isOpen}
          onClick={onToggle}
          size="sm"
          aria-label={t(isOpen ? "shell.closeSidebar" : "shell.openSidebar")}
          aria-expanded={isOpen}
        />
      )}
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

/** The number of orders that wait for this institution, as a link to them. */
function PendingOrdersLink() {
  const t = useTexts("shell");
  const canRead = useCanAccess(orderCalls.counts);
  const { data } = useCall(orderCalls.counts, {}, { enabled: canRead });
  if (!canRead || !data) return null;
  const shown = data.myTurn > 99 ? "99+" : String(data.myTurn);
  return (
    <ScreenLink
      screen="orderList"
      search={{ turn: "mine" }}
      className={classes.turn}
      title={t("shell.yourTurnCount", { count: data.myTurn })}
    >
      <IconHandClick size={20} stroke={1.6} aria-hidden />
      <span className={classes.words}>{t("shell.yourTurn")}</span>
      <Badge size="md" circle={data.myTurn < 10} variant={data.myTurn > 0 ? "filled" : "default"}>
        {shown}
      </Badge>
    </ScreenLink>
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

/** Scales the interface. */
function SizeMenu() {
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
