import { sessionCalls } from "@arcada/contract/account/session.calls";
import type { UserInfo } from "@arcada/contract/account/user-info.schema";
import { afterSalesRoles, findRole } from "@arcada/contract/kernel/roles";
import "../ui/mantine-more.css";
import "../i18n/texts-behind-sign-in.ts";
import { QueryClientProvider } from "@tanstack/react-query";
import {
  RouterProvider,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { useEffect } from "react";
import type { ComponentType } from "react";
import { findScreen, serviceEntryPath } from "@arcada/contract/screen-paths";
import { screens } from "@arcada/contract/screens";
import {
  isSignInPath,
  getScreen,
  findRedirect,
  findRefreshTarget,
  findServiceAuthority,
} from "../session/screen-redirects.ts";
import { startErrorLog } from "../shell/error-log.ts";
import { getStartPage } from "../browser/appearance.ts";
import { startFocusRestoration } from "../browser/focus-restoration.ts";
import { parseSearch, stringifySearch } from "../browser/navigation.tsx";
import { startOfflineReading } from "../data/offline-calls.ts";
import { startLiveStream } from "../data/live-stream.ts";
import { queryClient } from "../data/query-client.ts";
import { forgetOfflineAfterIdle } from "../session/idle-watch.ts";
import { prefetchCurrentUser, reloadOnUserChange, loadCurrentUser } from "../session/current-user.ts";
import { loadTexts, getText } from "../i18n/texts.ts";
import { readToken } from "../browser/session-token.ts";
import { uploadSession } from "../data/upload-authentication.ts";
import { BareLayout, Layout, RouteError, PagePending, RootLayout } from "../shell/layout.tsx";
import { registerServiceWorker } from "../shell/app-update/register-service-worker.ts";
import { remountPage } from "../shell/remount-page.ts";
import { UploadSessionContext } from "../ui/upload/upload-authentication.ts";
import { pageFiles } from "./page-files.ts";
import type { PageFile } from "./page-files.ts";
import { ask } from "../data/ask.ts";
import { switchSession } from "../browser/session-lifecycle.ts";
import { toast } from "../browser/toast.ts";

/** Their code is kept by the service worker: installable-app.ts of the build names it. */
const offlineScreens = ["today", "patientList", "patientDetail", "orderList"] as const;

type PageModule = { Page: ComponentType };
const pageModules = import.meta.glob<PageModule>("../*/*.page.tsx");

const rootRoute = createRootRoute({ component: RootLayout, errorComponent: RouteError });
const appRoute = createRoute({
  id: "inside",
  getParentRoute: () => rootRoute,
  component: Layout,
  beforeLoad: async ({ location }) => redirectIfNeeded(location.pathname, location.href),
});
const bareRoute = createRoute({ id: "bare", getParentRoute: () => rootRoute, component: BareLayout });
// Users leave the application for the sign-in pages only by a sign-out or a stale token. The sign-in pages are a
// separate app.
const unmatchedRoute = createRoute({
  path: "$",
  getParentRoute: () => rootRoute,
  beforeLoad: async ({ location }) => redirectIfNeeded(location.pathname, location.href),
});
const homeRoute = createRoute({
  path: "/",
  getParentRoute: () => rootRoute,
  beforeLoad: async ({ location }) => redirectIfNeeded("/", location.href),
});

const createPageRoute = (name: keyof typeof pageFiles) =>
  createRoute({
    path: screens[name].path,
    getParentRoute: () => (getScreen(name).bare ? bareRoute : appRoute) as typeof appRoute,
    component: lazyRouteComponent(() => loadPage(pageFiles[name]), "Page"),
  });
const screenNames = Object.keys(pageFiles) as (keyof typeof pageFiles)[];
const router = createRouter({
  routeTree: rootRoute.addChildren([
    homeRoute,
    appRoute.addChildren(screenNames.filter((name) => !getScreen(name).bare).map(createPageRoute)),
    bareRoute.addChildren(screenNames.filter((name) => getScreen(name).bare).map(createPageRoute)),
    unmatchedRoute,
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  defaultPendingComponent: PagePending,
  defaultPendingMs: 200,
  defaultErrorComponent: RouteError,
  scrollRestoration: true,
});

export function App() {
  useEffect(() => (readToken() ? startLiveStream() : undefined), []);
  return (
    <QueryClientProvider client={queryClient}>
      <UploadSessionContext value={uploadSession}>
        <RouterProvider router={router} />
      </UploadSessionContext>
    </QueryClientProvider>
  );
}

forgetOfflineAfterIdle();
startOfflineReading();
startErrorLog();
startFocusRestoration();
reloadOnUserChange();
prefetchAddressedPage();
registerServiceWorker(() => Promise.all(offlineScreens.map((name) => loadTexts(...pageFiles[name].texts))));

/** Starts loading the addressed page while the server still identifies the user. */
function prefetchAddressedPage(): void {
  const name = findScreen(location.pathname);
  if (!readToken() || !name || isSignInPath(location.pathname) || getScreen(name).bare) return;
  const page = pageFiles[name as keyof typeof pageFiles];
  void prefetchCurrentUser();
  // The router meets the same error again and reports it.
  loadPage(page).catch(() => {});
}

async function redirectIfNeeded(path: string, address: string): Promise<void> {
  const user = await loadCurrentUser();
  if (user && path === serviceEntryPath) throw redirect({ href: await resolveServiceEntry(user), replace: true });
  const refreshPath = user && findRefreshTarget(address, location.origin);
  if (refreshPath) {
    remountPage();
    throw redirect({ href: refreshPath, replace: true });
  }
  const redirectPath = findRedirect(path, address, user, getStartPage());
  if (redirectPath && isSignInPath(pathOf(redirectPath))) return navigateAway(redirectPath);
  if (redirectPath) throw redirect({ href: redirectPath });
  if (isSignInPath(path)) return navigateAway(address);
}

/**
 * Returns the page on which a user continues who opens /service. A user who holds an after-sales role but works in
 * another changes to it first.
 */
async function resolveServiceEntry(user: UserInfo): Promise<string> {
  if ((afterSalesRoles as readonly string[]).includes(findRole(user.authorityId))) return "/";
  const authorityId = findServiceAuthority(user.authorities);
  if (authorityId === null) {
    toast("error", getText("common.noPermission"));
    return screens.notFound.path;
  }
  const answer = await ask(sessionCalls.changeRole, { authorityId, uuid: user.uuid }).catch(() => null);
  if (!answer) return screens.notFound.path;
  switchSession(answer.token);
  // The page reloads in a moment.
  return new Promise(() => {});
}

const pathOf = (address: string): string => address.split("?")[0] ?? "";
/** Never resolves: the browser navigates away from this page. */
const navigateAway = (address: string): Promise<never> => {
  location.replace(address);
  return new Promise(() => {});
};

async function loadPage({ file, texts }: PageFile): Promise<PageModule> {
  const load = pageModules[`../${file}.page.tsx`] ?? pageModules["../shell/not-found.page.tsx"]!;
  const [page] = await Promise.all([load(), loadTexts("shell", ...texts)]);
  return page;
}
