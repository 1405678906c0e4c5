import "./kernel/strict-zod.ts";
import { createRoot } from "react-dom/client";
import { doors, screenAt, sendElsewhere } from "./kernel/entry.ts";
import { showSaid } from "./kernel/said.ts";
import { askedBy, startUp } from "./kernel/start-up.ts";
import { loadTexts } from "./kernel/texts.ts";
import { readToken } from "./kernel/token.ts";
import { Frame } from "./frame.tsx";

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
// The library that locks page scrolling behind a dialog inserts its own style element and reads the nonce from here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const mayChangeWhoIsHere = askedBy(new URL(location.href)).code !== null;
const started = startUp();
// Load the code that runs first in parallel with the common texts, not after them.
const early = mayChangeWhoIsHere ? null : isAtTheDoor() ? bringDoor() : readToken() ? import("./app.tsx") : null;
if (!mayChangeWhoIsHere && readToken()) bringFirstLook();
await started;
showSaid();
const { App } = await (early ?? (isAtTheDoor() ? bringDoor() : import("./app.tsx")));
createRoot(document.getElementById("root")!).render(
  <Frame nonce={nonce}>
    <App />
  </Frame>,
);

function bringDoor() {
  void loadTexts("account");
  return import("./account/account.app.tsx");
}

/**
 * Loads a viewer's study in parallel with the code of the app, which is fifty times as large as the code of the
 * request.
 */
function bringFirstLook(): void {
  const screen = screenAt(location.pathname);
  if (screen !== "viewer" && screen !== "ctViewer") return;
  const query = new URLSearchParams(location.search);
  // The page meets the same error again and reports it.
  import("./viewer/begin-study.ts").then(({ beginStudy }) => beginStudy(query, screen === "ctViewer")).catch(() => {});
}

/**
 * True on a sign-in page. These load without the router and the rest of the application, because they come first on a
 * slow connection.
 */
function isAtTheDoor(): boolean {
  if (readToken()) return false;
  const elsewhere = sendElsewhere(location.pathname, location.pathname + location.search + location.hash, null);
  if (elsewhere) history.replaceState(null, "", elsewhere);
  const screen = screenAt(location.pathname);
  return screen !== undefined && doors.includes(screen);
}
