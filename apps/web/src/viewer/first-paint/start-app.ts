import { waitForFirstPicture } from "../../data/first-picture.ts";

// Starts the app on a page with a first paint, instead of the tag that starts it on other pages: running its code takes
// longer than fetching the first picture, and would hold it up. The app starts without it if its script is missing.
const firstPaint = document.querySelector<HTMLScriptElement>("script[data-first-paint]")?.src;
const app = document.querySelector<HTMLLinkElement>("link[data-app]")?.href;
const maxScriptMs = 1500;

if (firstPaint)
  await Promise.race([
    import(/* @vite-ignore */ firstPaint).catch(() => {}),
    new Promise((resolve) => setTimeout(resolve, maxScriptMs)),
  ]);
await waitForFirstPicture();
if (app) await import(/* @vite-ignore */ app);
