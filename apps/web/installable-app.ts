import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Plugin, Rolldown } from "vite";
import { screens } from "../../packages/contract/src/screens.ts";

const source = path.join(import.meta.dirname, "src/app");
export const serviceWorkerEntry = path.join(source, "service-worker.ts");
export const serviceWorkerName = "service-worker";

/** The pages that open without a network, as modules of the sources: the application and the lists people start from. */
const offlineModules = [
  "app/app.tsx",
  "account/account.app.tsx",
  // The lock must show without a network, and what the bar opens must not fail.
  ...[
    "lock/lock-screen",
    "lock/idle-warning",
    "lock/sign-in-again",
    "overlays/language-dialog",
    "overlays/keyboard-help",
    "top-bar/error-log-button",
    "top-bar/user-menu-dropdown",
    "top-bar/view-menu-dropdown",
    "top-bar/institution-menu",
    "tabs/page-tab-menu",
    "sidebar/storage-popover",
    "help/screen-help",
  ].map((part) => `shell/${part}.tsx`),
  "notice/notice-panel.tsx",
  "ui/overlays/anchored-overlays.tsx",
  // A viewer that was opened before the network was lost still has tools.
  "viewer/ui/toolbar/toolbar-overlays.tsx",
  ...["today", "patient-list", "patient-detail", "order-list"].map((page) => `pages/${page}.page.tsx`),
];

const icons = [
  { file: "icon-192.png", sizes: "192x192", purpose: "any" },
  { file: "icon-512.png", sizes: "512x512", purpose: "any" },
  { file: "maskable-512.png", sizes: "512x512", purpose: "maskable" },
];

/**
 * Makes the application installable: the icons, the manifest without its words, which the server adds in the reader's
 * language, and the service worker with the names of the files that it keeps.
 */
export function installableApp(): Plugin {
  return {
    name: "arcada-installable",
    apply: "build",
    // Chunks that contain only styles have been removed by then.
    enforce: "post",
    transformIndexHtml: () => [
      { tag: "link", attrs: { rel: "manifest", href: "/manifest.webmanifest" }, injectTo: "head" },
    ],
    generateBundle(_, bundle) {
      const iconRows = icons.map(({ file, sizes, purpose }) => ({
        src: `/${emitIcon(this, file)}`,
        sizes,
        purpose,
        type: "image/png",
      }));
      this.emitFile({ type: "asset", fileName: "manifest.json", source: JSON.stringify({ icons: iconRows }) });
      const worker = bundle[`${serviceWorkerName}.js`];
      if (worker?.type !== "chunk") return this.error("The service worker is missing.");
      if (worker.imports.length > 0) return this.error("The service worker must be one script.");
      const files = findOfflineFiles(bundle);
      const pages = Object.values(screens).map(({ path: address }) => address);
      const version = createHash("sha256")
        .update(JSON.stringify([files, worker.code]))
        .digest("hex")
        .slice(0, 12);
      worker.code = worker.code
        .replace(/["'`]__ARCADA_SHELL__["'`]/, () => JSON.stringify(files))
        .replace(/["'`]__ARCADA_PAGES__["'`]/, () => JSON.stringify(["/", ...pages]))
        .replace(/["'`]__ARCADA_VERSION__["'`]/, () => JSON.stringify(version));
      if (worker.code.includes("__ARCADA_")) return this.error("The service worker lacks the names of its files.");
    },
  };
}

function emitIcon(context: Rolldown.PluginContext, file: string): string {
  const reference = context.emitFile({
    type: "asset",
    name: file,
    source: readFileSync(path.join(source, "icons", file)),
  });
  return context.getFileName(reference);
}

/** The addresses of all scripts and styles that the pages need, including those of the first page. */
function findOfflineFiles(bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? [file] : []));
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  // A module within a chunk of several is imported by a file of its own, which only passes its names on.
  const findModuleFiles = (module: string): string[] => {
    const files = chunks.filter(({ facadeModuleId, moduleIds }) =>
      [facadeModuleId, ...moduleIds].some((id) => id?.endsWith(`/src/${module}`)),
    );
    if (files.length === 0) throw new Error(`${module} is missing: it opens without a network.`);
    return files.map(({ fileName }) => fileName);
  };
  const found = new Set<string>();
  const pending = ["main.tsx", ...offlineModules].flatMap(findModuleFiles);
  for (let name = pending.pop(); name; name = pending.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const chunk = byName.get(name);
    pending.push(...(chunk?.imports ?? []));
    for (const style of chunk?.viteMetadata?.importedCss ?? []) found.add(style);
  }
  return [...found].toSorted().map((name) => `/${name}`);
}
