import "./kernel/strict-zod.ts";
import { createRoot } from "react-dom/client";
import { doors, screenAt, sendElsewhere } from "./kernel/entry.ts";
import { showSaid } from "./kernel/said.ts";
import { askedBy, startUp } from "./kernel/start-up.ts";
import { loadTexts } from "./kernel/texts.ts";
import { readToken } from "./kernel/token.ts";
import { Frame } from "./frame.tsx";

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
// What locks the page's scrolling behind a dialog writes a style element of its own and takes its nonce from here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const mayChangeWhoIsHere = askedBy(new URL(location.href)).code !== null;
const started = startUp();
// What comes first comes along with the common texts, not after them.
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

/** A viewer's study comes while the code of the app does, which is fifty times as much as what asks for it. */
function bringFirstLook(): void {
  const screen = screenAt(location.pathname);
  if (screen !== "viewer" && screen !== "ctViewer") return;
  const query = new URLSearchParams(location.search);
  // Whatever fails here is met again, and said, by the page.
  import("./viewer/begin-study.ts").then(({ beginStudy }) => beginStudy(query, screen === "ctViewer")).catch(() => {});
}

/** The sign-in pages come without the router and everything behind it: they are what a slow line sees first. */
function isAtTheDoor(): boolean {
  if (readToken()) return false;
  const elsewhere = sendElsewhere(location.pathname, location.pathname + location.search + location.hash, null);
  if (elsewhere) history.replaceState(null, "", elsewhere);
  const screen = screenAt(location.pathname);
  return screen !== undefined && doors.includes(screen);
}
