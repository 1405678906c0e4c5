import { Box, Button } from "@mantine/core";
import { useDisclosure, useMediaQuery, useWindowEvent } from "@mantine/hooks";
import { Outlet, useRouterState } from "@tanstack/react-router";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { Suspense, lazy, useEffect, useLayoutEffect, useMemo } from "react";
import type { CSSProperties } from "react";
import { findScreen } from "@arcada/contract/screen-paths";
import { screens } from "@arcada/contract/screens";
import { changeAppearance, useAppearance } from "../browser/appearance.ts";
import { FullWindow, shellNeeds, type FullWindowMode } from "../browser/full-window.ts";
import { useCurrentUser, useRole } from "../session/current-user.ts";
import { signInAgainRefusal } from "../data/show-error.ts";
import { useStore } from "../browser/external-store.ts";
import { loadTexts, useTexts } from "../i18n/texts.ts";
import { BusyState } from "../ui/busy-state.tsx";
import { StatusLines } from "./app-update/status-lines.tsx";
import { Breadcrumb } from "./breadcrumb.tsx";
import { HelpButton } from "./help/help-button.tsx";
import { PrintHeading } from "./print-heading.tsx";
import { listSidebarScreens } from "./screen-lists.ts";
import { ActiveOverlay } from "./overlays/active-overlay.tsx";
import { Sidebar } from "./sidebar/sidebar.tsx";
import { TabsBar } from "./tabs/tabs-bar.tsx";
import { TopBar } from "./top-bar/top-bar.tsx";
import { useLock } from "./lock/use-lock.ts";
import { renderKey } from "./remount-page.ts";
import { idleState } from "../session/idle-watch.ts";
import { getPageKey, usePageTitles } from "../browser/page-title.ts";
import { logError } from "./error-log.ts";
import { NoResponseError } from "../data/call-errors.ts";
import { PageHelpSlot } from "../ui/page-help-slot.ts";
import { ErrorState, OfflineState } from "../ui/page-states.tsx";
import classes from "./layout.module.css";

const sizes = { sidebar: 210, narrow: 64 } as const;
/** The heights of the top bar and of the bar of visited pages; a telephone has less room for them. */
const barHeights = { wide: { top: 60, tags: 42 }, small: { top: 52, tags: 36 } } as const;
/** A dialog that locks the scrolling of the page moves elements of this class by the width of the scrollbar. */
const scrollbarClass = "right-scroll-bar-position";
// Loaded when they are first opened.
const IdleWarning = lazy(async () => ({ default: (await import("./lock/idle-warning.tsx")).IdleWarning }));
const Lock = lazy(async () => ({ default: (await import("./lock/lock-screen.tsx")).Lock }));
const Completion = lazy(async () => ({
  default: (await import("../account/registration/account-completion.tsx")).AccountCompletion,
}));
const SignInAgain = lazy(async () => ({ default: (await import("./lock/sign-in-again.tsx")).SignInAgain }));

/** Pages that use the full width. */
const fullWidthScreens = ["viewer", "ctViewer", "compare", "filmMount", "analysis", "cephViewer", "cephOver"];

/** The layout around every page behind the sign-in. */
export function Layout() {
  const t = useTexts("shell", "notice", "capacity");
  const appearance = useAppearance();
  const isSmall = useIsSmall();
  const [drawer, drawerActions] = useDisclosure(false);
  const currentRenderKey = useStore(renderKey);
  const { isLocked, isWarned, hasContent } = useLock();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const bars = isSmall ? barHeights.small : barHeights.wide;
  const isWide = fullWidthScreens.includes(findScreen(path) ?? "");
  const fullWindow = useFullWindowMode(isWide);
  const isFullWindow = fullWindow.isFull;
  // Hidden, not removed: tabs and uploads are still followed there.
  const hidden = isFullWindow ? { display: "none" } : {};
  useDocumentTitle();
  const isSidebarOver = isSmall && drawer;
  const { hasNavigation, showsTabs } = useNavigationParts(appearance.tags);
  useCloseOnEscape(isSidebarOver, drawerActions.close);
  useHeaderHeight(bars.top + (showsTabs ? bars.tags : 0));
  const position = appearance.fixedHeader ? "fixed" : "absolute";
  return (
    <>
      <a href="#main" className="arcada-skip">
        {t("shell.skip")}
      </a>
      <div
        className={classes.shell}
        data-sidebar={isFullWindow || !hasNavigation ? "none" : isSidebarOver ? "over" : "beside"}
        data-full={isFullWindow || undefined}
        style={
          { "--arcada-sidebar-width": toLength(appearance.sidebar ? sizes.sidebar : sizes.narrow) } as CSSProperties
        }
      >
        <header className={`${classes.header} ${scrollbarClass}`} style={{ position, ...hidden }}>
          <TopBar
            isSmall={isSmall}
            isViewer={isWide}
            hasNavigation={hasNavigation}
            isOpen={isSmall ? drawer : appearance.sidebar}
            onToggle={() => (isSmall ? drawerActions.toggle() : changeAppearance({ sidebar: !appearance.sidebar }))}
          />
          {showsTabs && <TabsBar />}
        </header>
        <nav
          className={classes.sidebar}
          style={hidden}
          data-whole={position === "absolute" || undefined}
          inert={(isSmall && !drawer) || !hasNavigation}
          aria-label={t("shell.navigation")}
        >
          <Sidebar narrow={!isSmall && !appearance.sidebar} onGo={drawerActions.close} />
        </nav>
        <main className={classes.main} inert={isSidebarOver}>
          <Box
            id="main"
            tabIndex={-1}
            className={isWide ? classes.wide : classes.content}
            data-full={isFullWindow || undefined}
          >
            <PrintHeading />
            <div data-screen-only>
              <StatusLines />
              {!isWide && <Breadcrumb isSmall={isSmall} />}
            </div>
            <FullWindow value={fullWindow}>
              <PageHelpSlot value={<HelpButton screen={findScreen(path)} />}>
                <Suspense fallback={<BusyState />}>{hasContent && <Outlet key={currentRenderKey} />}</Suspense>
              </PageHelpSlot>
            </FullWindow>
          </Box>
        </main>
      </div>
      <ActiveOverlay />
      <RequiredDialogs isLocked={isLocked} isWarned={isWarned} />
    </>
  );
}

/** A length in pixels at the medium layout size. */
const toLength = (pixels: number): string => `calc(${pixels / 16}rem * var(--mantine-scale))`;

/** Tells the height of the bars to all styles, those of the messages included, which are outside the layout. */
function useHeaderHeight(pixels: number): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    style.setProperty("--arcada-header-height", toLength(pixels));
    return () => void style.removeProperty("--arcada-header-height");
  }, [pixels]);
}

/** Pages of the full width cover the shell, unless the user or a message uncovers it. */
function useFullWindowMode(isWide: boolean): FullWindowMode {
  const { fullWindow } = useAppearance();
  const hasMessage = useStore(shellNeeds) > 0;
  const isFull = isWide && fullWindow && !hasMessage;
  return useMemo(() => ({ isFull, change: (next: boolean) => changeAppearance({ fullWindow: next }) }), [isFull]);
}

/** A user without an institution has nothing to navigate to: neither a sidebar nor tabs. */
function useNavigationParts(wantsTabs: boolean): { hasNavigation: boolean; showsTabs: boolean } {
  const role = useRole();
  const hasNavigation = role === undefined || listSidebarScreens(role).length > 0;
  return { hasNavigation, showsTabs: wantsTabs && hasNavigation };
}

/** Sets the title of the browser's tab to the page's title. */
function useDocumentTitle(): void {
  const t = useTexts("shell");
  const titles = usePageTitles();
  const { href, pathname } = useRouterState({ select: (state) => state.location });
  const name = findScreen(pathname);
  // The title of the browser's tab is visible on a locked screen, too.
  const isLocked = useStore(idleState).kind === "locked";
  const title = isLocked ? undefined : (titles[getPageKey(href)] ?? (name && t(`shell.screen.${screens[name].title}`)));
  useEffect(() => {
    document.title = title ? `${title} · ${t("common.product")}` : t("common.product");
  }, [title, t]);
}

/** Dialogs that open by themselves and must be answered. */
function RequiredDialogs({ isLocked, isWarned }: { isLocked: boolean; isWarned: boolean }) {
  const isSignedOut = useStore(signInAgainRefusal) !== null;
  const isProfileIncomplete = (useCurrentUser()?.initStatus ?? 0) !== 0;
  return (
    <Suspense>
      {isProfileIncomplete && !isLocked && <Completion />}
      {isSignedOut && !isLocked && <SignInAgain />}
      {isWarned && <IdleWarning />}
      {isLocked && <Lock />}
    </Suspense>
  );
}

/** Below 992 px the sidebar is closed and opens over the page. */
const useIsSmall = (): boolean =>
  useMediaQuery("(max-width: 61.99em)", window.innerWidth < 992, { getInitialValueInEffect: false }) ?? false;

function useCloseOnEscape(isOpen: boolean, close: () => void): void {
  useWindowEvent("keydown", ({ key }) => {
    if (key === "Escape" && isOpen) close();
  });
}

export const RootLayout = () => <Outlet />;
export const BareLayout = () => (
  <Suspense fallback={<BusyState />}>
    <Outlet />
  </Suspense>
);
export const PagePending = () => <BusyState />;
export const RouteError = ({ error, reset }: ErrorComponentProps) => (
  <PageError error={error as Error} onRetry={reset} />
);

/** The error view of a page. The layout around it keeps working. */
function PageError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useTexts("shell");
  const isOffline = error instanceof NoResponseError || !navigator.onLine;
  useEffect(() => {
    // A file that does not come without a network is no fault of the product.
    if (!isOffline) logError(error);
    console.error(error);
  }, [error, isOffline]);
  useWindowEvent("online", () => isOffline && onRetry());
  const home = (
    <Button variant="subtle" component="a" href="/">
      {t("common.home")}
    </Button>
  );
  if (isOffline)
    return (
      <OfflineState>
        <Button variant="default" onClick={onRetry}>
          {t("common.retry")}
        </Button>
        {home}
      </OfflineState>
    );
  // A new version of the product has replaced the files that this page would load.
  const isFileMissing = /dynamically imported module|Importing a module|preload CSS/.test(error.message);
  return (
    <ErrorState
      text={t(isFileMissing ? "shell.newVersion" : "common.unexpected")}
      retry={() => {
        if (isFileMissing) return location.reload();
        onRetry();
      }}
    >
      {home}
    </ErrorState>
  );
}

await loadTexts("shell", "notice", "capacity");
