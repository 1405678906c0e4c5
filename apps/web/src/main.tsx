import "./app/zod-jitless.ts";
import { createRoot } from "react-dom/client";
import { findScreen } from "@arcada/contract/screen-paths";
import { signInScreens, findRedirect } from "./session/screen-redirects.ts";
import { showFlashMessage } from "./session/flash-message.ts";
import { parseStartUpRequest, startUp } from "./app/start-up.ts";
import { loadTexts } from "./i18n/texts.ts";
import { deleteOfflineDatabase } from "./browser/offline-database.ts";
import { readToken } from "./browser/session-token.ts";
import { AppProviders } from "./app/app-providers.tsx";

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
// The library that locks page scrolling behind a dialog inserts its own style element and reads the nonce from here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const mayChangeUser = parseStartUpRequest(new URL(location.href)).code !== null;
// The cookie of a session may have ended while the browser was closed.
if (!readToken()) deleteOfflineDatabase();
const startUpDone = startUp();
// Load the code that runs first in parallel with the common texts, not after them.
const preloadedApp = mayChangeUser
  ? null
  : isOnSignInPage()
    ? loadSignInApp()
    : readToken()
      ? import("./app/app.tsx")
      : null;
if (!mayChangeUser && readToken()) prefetchViewerStudy();
await startUpDone;
showFlashMessage();
const { App } = await (preloadedApp ?? (isOnSignInPage() ? loadSignInApp() : import("./app/app.tsx")));
createRoot(document.getElementById("root")!).render(
  <AppProviders nonce={nonce}>
    <App />
  </AppProviders>,
);

function loadSignInApp() {
  void loadTexts("account");
  return import("./account/account.app.tsx");
}

/**
 * Loads a viewer's study in parallel with the code of the app, which is fifty times as large as the code of the
 * request.
 */
function prefetchViewerStudy(): void {
  const screen = findScreen(location.pathname);
  if (screen !== "viewer" && screen !== "ctViewer") return;
  const query = new URLSearchParams(location.search);
  // The page meets the same error again and reports it.
  import("./viewer/prefetch-study.ts")
    .then(({ prefetchStudy: beginStudy }) => beginStudy(query, screen === "ctViewer"))
    .catch(() => {});
}

/**
 * True on a sign-in page. These load without the router and the rest of the application, because they come first on a
 * slow connection.
 */
function isOnSignInPage(): boolean {
  if (readToken()) return false;
  const redirectPath = findRedirect(location.pathname, location.pathname + location.search + location.hash, null);
  if (redirectPath) history.replaceState(null, "", redirectPath);
  const screen = findScreen(location.pathname);
  return screen !== undefined && signInScreens.includes(screen);
}
