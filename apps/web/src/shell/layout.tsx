import { AppShell, Box } from "@mantine/core";
import { useDisclosure, useMediaQuery, useWindowEvent } from "@mantine/hooks";
import { Outlet, useRouterState } from "@tanstack/react-router";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { Suspense, lazy } from "react";
import { screenAt } from "../kernel/entry.ts";
import { changeLook, useLook } from "../kernel/look.ts";
import { useMe } from "../kernel/session.ts";
import { signInAgain } from "../kernel/show.ts";
import { useStore } from "../kernel/store.ts";
import { loadTexts, useTexts } from "../kernel/texts.ts";
import { BusyState } from "../ui/busy-state.tsx";
import { Breadcrumb } from "./breadcrumb.tsx";
import { OfflineBar } from "./offline-bar.tsx";
import { OverlayShown } from "./overlay-shown.tsx";
import { Problem } from "./problem.tsx";
import { Sidebar } from "./sidebar.tsx";
import { TagsBar } from "./tags-bar.tsx";
import { TopBar } from "./top-bar.tsx";
import { useLock } from "./use-lock.ts";
import { useTabTitle } from "./use-tab-title.ts";
import { visits } from "./visit.ts";
import classes from "./layout.module.css";

const sizes = { top: 60, tags: 42, sidebar: 210, narrow: 64 } as const;
// Loaded when they are first opened.
const IdleWarning = lazy(async () => ({ default: (await import("./idle-warning.tsx")).IdleWarning }));
const Lock = lazy(async () => ({ default: (await import("./lock.tsx")).Lock }));
const Completion = lazy(async () => ({ default: (await import("../account/completion.tsx")).Completion }));
const SignInAgain = lazy(async () => ({ default: (await import("./sign-in-again.tsx")).SignInAgain }));

/** Pages that use the full width. */
const wide = ["viewer", "ctViewer", "compare", "filmMount", "analysis", "cephViewer", "cephOver"];

/** The layout around every page behind the sign-in. */
export function Layout() {
  const t = useTexts("shell", "notice", "capacity");
  const look = useLook();
  const isSmall = useIsSmall();
  const [drawer, drawerOf] = useDisclosure(false);
  const visit = useStore(visits);
  const { isLocked, isWarned, hasContent } = useLock();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isWide = wide.includes(screenAt(path) ?? "");
  useTabTitle();
  const isOver = isSmall && drawer;
  useEscape(isOver, drawerOf.close);
  const position = look.fixedHeader ? "fixed" : "absolute";
  return (
    <>
      <a href="#main" className="arcada-skip">
        {t("shell.skip")}
      </a>
      <AppShell
        header={{ height: sizes.top + (look.tags ? sizes.tags : 0) }}
        navbar={{
          width: look.sidebar ? sizes.sidebar : sizes.narrow,
          breakpoint: "md",
          collapsed: { mobile: !drawer },
        }}
        transitionDuration={140}
        padding={0}
        className={classes.shell}
      >
        <AppShell.Header className={classes.header} style={{ position }}>
          <TopBar
            isSmall={isSmall}
            isOpen={isSmall ? drawer : look.sidebar}
            onToggle={() => (isSmall ? drawerOf.toggle() : changeLook({ sidebar: !look.sidebar }))}
          />
          {look.tags && <TagsBar />}
        </AppShell.Header>
        <AppShell.Navbar
          className={classes.sidebar}
          data-whole={position === "absolute" || undefined}
          inert={isSmall && !drawer}
          aria-label={t("shell.navigation")}
        >
          <Sidebar narrow={!isSmall && !look.sidebar} onGo={drawerOf.close} />
        </AppShell.Navbar>
        <AppShell.Main className={classes.main} inert={isOver}>
          <Box id="main" tabIndex={-1} className={isWide ? classes.wide : classes.content}>
            <OfflineBar />
            {!isWide && <Breadcrumb />}
            <Suspense fallback={<BusyState />}>{hasContent && <Outlet key={visit} />}</Suspense>
          </Box>
        </AppShell.Main>
      </AppShell>
      <OverlayShown />
      <Demanded isLocked={isLocked} isWarned={isWarned} />
    </>
  );
}

/** Dialogs that open by themselves and must be answered. */
function Demanded({ isLocked, isWarned }: { isLocked: boolean; isWarned: boolean }) {
  const isSignedOut = useStore(signInAgain) !== null;
  const lacksData = (useMe()?.initStatus ?? 0) !== 0;
  return (
    <Suspense>
      {lacksData && !isLocked && <Completion />}
      {isSignedOut && !isLocked && <SignInAgain />}
      {isWarned && <IdleWarning />}
      {isLocked && <Lock />}
    </Suspense>
  );
}

/** Below 992 px the sidebar is closed and opens over the page. */
const useIsSmall = (): boolean =>
  useMediaQuery("(max-width: 61.99em)", window.innerWidth < 992, { getInitialValueInEffect: false }) ?? false;

function useEscape(isOpen: boolean, close: () => void): void {
  useWindowEvent("keydown", ({ key }) => {
    if (key === "Escape" && isOpen) close();
  });
}

export const Root = () => <Outlet />;
export const BarePage = () => (
  <Suspense fallback={<BusyState />}>
    <Outlet />
  </Suspense>
);
export const PageWaiting = () => <BusyState />;
export const PageProblem = ({ error, reset }: ErrorComponentProps) => (
  <Problem error={error as Error} onRetry={reset} />
);

await loadTexts("shell", "notice", "capacity");
