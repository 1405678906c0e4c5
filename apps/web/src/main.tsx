import "./kernel/strict-zod.ts";
import { createRoot } from "react-dom/client";
import { doors, screenAt, sendElsewhere } from "./kernel/entry.ts";
import { showSaid } from "./kernel/said.ts";
import { startUp } from "./kernel/start-up.ts";
import { readToken } from "./kernel/token.ts";
import { Frame } from "./frame.tsx";

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
// What locks the page's scrolling behind a dialog writes a style element of its own and takes its nonce from here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

await startUp();
showSaid();
const { App } = isAtTheDoor() ? await import("./account/account.app.tsx") : await import("./app.tsx");
createRoot(document.getElementById("root")!).render(
  <Frame nonce={nonce}>
    <App />
  </Frame>,
);

/** The sign-in pages come without the router and everything behind it: they are what a slow line sees first. */
function isAtTheDoor(): boolean {
  if (readToken()) return false;
  const elsewhere = sendElsewhere(location.pathname, location.pathname + location.search + location.hash, null);
  if (elsewhere) history.replaceState(null, "", elsewhere);
  const screen = screenAt(location.pathname);
  return screen !== undefined && doors.includes(screen);
}
