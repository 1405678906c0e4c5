import "./ui/mantine-more.css";
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
import { screens } from "@arcada/contract/screens";
import { isDoor, screenAt, screenOf, sendElsewhere, serviceEntry, shownAgain } from "./kernel/entry.ts";
import { watchErrors } from "./kernel/error-log.ts";
import { watchFocus } from "./kernel/focus.ts";
import { parseSearch, stringifySearch } from "./kernel/link.tsx";
import { startLive } from "./kernel/live.ts";
import { queryClient } from "./kernel/queries.ts";
import { enterService } from "./kernel/service-entry.ts";
import { askWhoIsIn, watchForAnotherUser, whoIsIn } from "./kernel/session.ts";
import { loadTexts } from "./kernel/texts.ts";
import { readToken } from "./kernel/token.ts";
import { uploadSession } from "./kernel/upload-session.ts";
import { BarePage, Layout, PageProblem, PageWaiting, Root } from "./shell/layout.tsx";
import { showAgain } from "./shell/visit.ts";
import { UploadSessionContext } from "./ui/upload-session.ts";
import { pageFiles } from "./page-files.ts";
import type { PageFile } from "./page-files.ts";

type PageModule = { Page: ComponentType };
const files = import.meta.glob<PageModule>("./*/*.page.tsx");

const root = createRootRoute({ component: Root, errorComponent: PageProblem });
const inside = createRoute({
  id: "inside",
  getParentRoute: () => root,
  component: Layout,
  beforeLoad: async ({ location }) => enterOrLeave(location.pathname, location.href),
});
const bare = createRoute({ id: "bare", getParentRoute: () => root, component: BarePage });
// Users leave the application for the sign-in pages only by a sign-out or a stale token. The sign-in pages are a
// separate app.
const elsewhere = createRoute({
  path: "$",
  getParentRoute: () => root,
  beforeLoad: async ({ location }) => enterOrLeave(location.pathname, location.href),
});
const home = createRoute({
  path: "/",
  getParentRoute: () => root,
  beforeLoad: async ({ location }) => enterOrLeave("/", location.href),
});

const routeOf = (name: keyof typeof pageFiles) =>
  createRoute({
    path: screens[name].path,
    getParentRoute: () => (screenOf(name).bare ? bare : inside) as typeof inside,
    component: lazyRouteComponent(() => bring(pageFiles[name]), "Page"),
  });
const names = Object.keys(pageFiles) as (keyof typeof pageFiles)[];
const router = createRouter({
  routeTree: root.addChildren([
    home,
    inside.addChildren(names.filter((name) => !screenOf(name).bare).map(routeOf)),
    bare.addChildren(names.filter((name) => screenOf(name).bare).map(routeOf)),
    elsewhere,
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  defaultPendingComponent: PageWaiting,
  defaultPendingMs: 200,
  defaultErrorComponent: PageProblem,
  scrollRestoration: true,
});

export function App() {
  useEffect(() => (readToken() ? startLive() : undefined), []);
  return (
    <QueryClientProvider client={queryClient}>
      <UploadSessionContext value={uploadSession}>
        <RouterProvider router={router} />
      </UploadSessionContext>
    </QueryClientProvider>
  );
}

watchErrors();
watchFocus();
watchForAnotherUser();
beginAddressed();

/** Starts loading the addressed page while the server still identifies the user. */
function beginAddressed(): void {
  const name = screenAt(location.pathname);
  if (!readToken() || !name || isDoor(location.pathname) || screenOf(name).bare) return;
  const page = pageFiles[name as keyof typeof pageFiles];
  void askWhoIsIn();
  // The router meets the same error again and reports it.
  bring(page).catch(() => {});
}

async function enterOrLeave(path: string, address: string): Promise<void> {
  const who = await whoIsIn();
  if (who && path === serviceEntry) throw redirect({ href: await enterService(who), replace: true });
  const again = who && shownAgain(address, location.origin);
  if (again) {
    showAgain();
    throw redirect({ href: again, replace: true });
  }
  const to = sendElsewhere(path, address, who);
  if (to && isDoor(pathOf(to))) return leaveTo(to);
  if (to) throw redirect({ href: to });
  if (isDoor(path)) return leaveTo(address);
}

const pathOf = (address: string): string => address.split("?")[0] ?? "";
/** Never resolves: the browser navigates away from this page. */
const leaveTo = (address: string): Promise<never> => {
  location.replace(address);
  return new Promise(() => {});
};

async function bring({ file, texts }: PageFile): Promise<PageModule> {
  const load = files[`./${file}.page.tsx`] ?? files["./shell/not-found.page.tsx"]!;
  const [page] = await Promise.all([load(), loadTexts("shell", ...texts)]);
  return page;
}
