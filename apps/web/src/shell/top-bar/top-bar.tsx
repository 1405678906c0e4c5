import { Badge, Box, Burger, Group, UnstyledButton } from "@mantine/core";
import { IconSearch, IconHandClick } from "@tabler/icons-react";
import { Suspense, lazy, useEffect, useState } from "react";
import { orderCountCalls } from "@arcada/contract/order/order-counts.calls";
import { errorLog } from "../error-log.ts";
import { useHomePath, useSignedInUser } from "../../session/current-user.ts";
import { dropForeignBatches, getOwner, useBatches } from "../../study/upload/upload-batches.ts";
import { useStore } from "../../browser/external-store.ts";
import { useTexts } from "../../i18n/texts.ts";
import { NoticeBell } from "../../notice/notice-bell.tsx";
import { Logo } from "../../ui/logo.tsx";
import { InstitutionSwitcher } from "./institution-switcher.tsx";
import { showOverlay } from "../overlays/overlay-state.ts";
import { useFirstSpeedMeasurement } from "./measured-network-speed.ts";
import { UserMenu } from "./user-menu.tsx";
import { ViewMenu } from "./view-menu.tsx";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { useCall } from "../../data/use-call.ts";
import classes from "./top-bar.module.css";

interface Props {
  isSmall: boolean;
  isOpen: boolean;
  /** True above an image viewer. */
  isViewer: boolean;
  onToggle: () => void;
  /** False if the reader has no sidebar. */
  hasNavigation: boolean;
}

export function TopBar({ isSmall, isOpen, isViewer, onToggle, hasNavigation }: Props) {
  const t = useTexts("shell");
  const homePath = useHomePath();
  useFirstSpeedMeasurement(isViewer);
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
      <a href={homePath ?? "/"} className={classes.mark} title={t("shell.home")}>
        <Logo iconOnly={isSmall} />
      </a>
      <InstitutionSwitcher />
      <Box className={classes.space} />
      <SearchField />
      <Group gap={isSmall ? 2 : 4} wrap="nowrap" flex="none">
        <ErrorLogSlot />
        <UploadsButton />
        <PendingOrdersLink />
        <NoticeBell />
        {!isSmall && <ViewMenu />}
        <UserMenu isSmall={isSmall} />
      </Group>
    </div>
  );
}

const searchKeys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘ K" : "Ctrl K";

/** Opens the search. It looks like the field that it opens, and like an icon where there is no room. */
function SearchField() {
  const t = useTexts("shell");
  const title = t("shell.search.title");
  return (
    <UnstyledButton
      className={classes.search}
      onClick={() => showOverlay("search")}
      aria-label={title}
      aria-keyshortcuts="Control+K"
      aria-haspopup="dialog"
      title={title}
    >
      <IconSearch size={20} stroke={1.6} aria-hidden />
      <span className={classes.searchWords} data-keys={searchKeys}>
        {title}
      </span>
    </UnstyledButton>
  );
}

/** The number of orders that wait for this institution, as a link to them. */
function PendingOrdersLink() {
  const t = useTexts("shell");
  const canRead = useCanAccess(orderCountCalls.counts);
  const { data } = useCall(orderCountCalls.counts, {}, { enabled: canRead });
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

const UploadsProgress = lazy(async () => ({ default: (await import("./uploads-progress.tsx")).UploadsProgress }));

/** Shown while this tab has uploads: their number and progress, and whether one waits for an answer. */
function UploadsButton() {
  const owner = getOwner(useSignedInUser());
  const all = useBatches();
  const hasUploads = all.length > 0;
  useEffect(() => {
    dropForeignBatches(owner);
    // The upload code is loaded with the first upload, or after a reload that interrupted one.
    if (hasUploads)
      void import("../../study/upload/upload-manager.ts").then(({ resumeAll: goOnWithAll }) => goOnWithAll());
  }, [hasUploads, owner]);
  return (
    hasUploads && (
      <Suspense>
        <UploadsProgress all={all} />
      </Suspense>
    )
  );
}
