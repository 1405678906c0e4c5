import { findAppEntry } from "../../data/app-entry.ts";
import { waitForFirstPicture } from "../../data/first-picture.ts";

// Starts the app on a page with a first paint, instead of the tag that starts it on other pages: running its code takes
// longer than fetching the first picture, and would hold it up. The app starts without it if its script is missing.

/** ms from the start of the navigation after which the app waits no longer: a script or a request may be stuck. */
const maxWaitMs = 1500;

const firstPaint = [...document.scripts].find(({ dataset }) => "firstPaint" in dataset)?.src;
const whenShown = (firstPaint ? import(/* @vite-ignore */ firstPaint).catch(() => {}) : Promise.resolve()).then(
  waitForFirstPicture,
);
const tooLate = new Promise((resolve) => setTimeout(resolve, Math.max(0, maxWaitMs - performance.now())));
await Promise.race([whenShown, tooLate]);
const app = findAppEntry();
if (!app) throw new Error("The page names no script of the app.");
await import(/* @vite-ignore */ app);
