import { createReadStream, createWriteStream, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import type { Plugin } from "vite";
import { screens } from "../../packages/contract/src/screens.ts";
import { apiReference } from "./api-reference-plugin.ts";
import { pageFiles } from "./src/app/page-files.ts";
import { installableApp, serviceWorkerEntry, serviceWorkerName } from "./installable-app.ts";
import {
  createPageChunk,
  isFilePartModule,
  isFirstPaintModule,
  isFormModule,
  isListModule,
  isListOrFormModule,
  isOverlayModule,
  isRequestModule,
  isSharedModule,
  isShellModule,
  isSignInAppModule,
  isSignInPageModule,
  isSmallModule,
  isStudyCallModule,
  isUploadModule,
  isVolumeViewerModule,
} from "./module-chunks.ts";
import { contractZod, slimContract, slimMantine, slimZod } from "./smaller-bundles.ts";
import { userGuide } from "./user-guide/user-guide-plugin.ts";

const server = process.env["ARCADA_SERVER"] ?? "http://127.0.0.1:8080";

// The script that starts a viewer's page, and the modules of the app that continue from it.
const firstPaintEntry = "viewer/first-paint/first-paint.ts";
// The script that starts the app after it.
const appStartEntry = "viewer/first-paint/start-app.ts";
const studyPrefetchModule = "viewer/prefetch-study.ts";
const volumeViewerModule = "viewer/ct/ct-viewer.tsx";

const inSources = (module: string): string => path.join(import.meta.dirname, "src", module);
// The pages that most people see first: what they need at once is apart from what other pages share.
const firstPages = ["main.tsx", "app/app.tsx", "pages/patient-list.page.tsx", "pages/today.page.tsx"].map(inSources);
const inside = createPageChunk("inside", firstPages);
const volumePages = ["pages/ct-viewer.page.tsx", volumeViewerModule].map(inSources);
const volumeCalls = createPageChunk("volume-calls", volumePages);
const volume = createPageChunk("volume", [inSources(volumeViewerModule)]);

export default defineConfig({
  plugins: [
    react(),
    iconsInUse(),
    userGuide(),
    apiReference(),
    stubNodeModules(),
    slimZod(),
    slimMantine(),
    slimContract(),
    preloadManifest(),
    installableApp(),
    compressAssets(),
  ],
  build: {
    target: "es2023",
    sourcemap: false,
    // The server sends style-src with a nonce and script-src 'self': nothing may be inlined as data: or as code.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      // Building a schema changes nothing else, so one that nobody uses can go.
      treeshake: { manualPureFunctions: [contractZod] },
      input: {
        index: path.join(import.meta.dirname, "index.html"),
        "first-look": inSources(firstPaintEntry),
        "start-app": inSources(appStartEntry),
        [serviceWorkerName]: serviceWorkerEntry,
      },
      output: {
        // A service worker has the same address in every version, above all pages.
        entryFileNames: ({ name }) => (name === serviceWorkerName ? "[name].js" : "assets/[name]-[hash].js"),
        codeSplitting: {
          groups: [
            // The modules that all pages share with a viewer's first paint, without the first paint itself.
            { name: "request", test: isRequestModule, priority: 6 },
            { name: "first", test: isFirstPaintModule, priority: 5 },
            { name: "door", test: isSignInAppModule, priority: 4 },
            // The sign-in page itself, which is requested in parallel with the texts.
            { name: "sign-in", test: isSignInPageModule, priority: 4 },
            // Code that most pages behind the sign-in share, in a few chunks instead of some dozen.
            { name: inside, debugName: "inside", test: isSharedModule, minShareCount: 8, priority: 3 },
            // Small modules of many pages: a request costs more than their bytes.
            { name: inside, debugName: "inside", test: isSmallModule, minShareCount: 4, priority: 3 },
            { name: inside, debugName: "inside", test: isShellModule, minShareCount: 2, priority: 3 },
            // The same for what many pages share, but neither the shell nor the first lists need.
            { name: volumeCalls, debugName: "volume-calls", test: isStudyCallModule, minShareCount: 4, priority: 3 },
            { name: "studies", test: isStudyCallModule, minShareCount: 4, priority: 2 },
            { name: "further", test: isSharedModule, minShareCount: 8, priority: 1 },
            { name: "further", test: isSmallModule, minShareCount: 4, priority: 1 },
            // Menus, popovers, tooltips and dialogs, with the code that places them: no page shows one at first.
            { name: "overlays", test: isOverlayModule, minShareCount: 4, priority: 2 },
            // Parts of lists and forms, and the upload code. A viewer of images needs neither.
            { name: "list", test: isListModule, minShareCount: 4, priority: 2 },
            { name: "work", test: isListOrFormModule, minShareCount: 4, priority: 2 },
            { name: "forms", test: isFormModule, minShareCount: 4, priority: 2 },
            { name: "sending", test: isUploadModule, priority: 2 },
            { name: "files", test: isFilePartModule, minShareCount: 2, priority: 2 },
            // The viewers' hundreds of small files: the chunk that all share, and the chunk that the volume's parts
            // share.
            {
              name: "seeing",
              test: /[\\/]src[\\/]viewer[\\/](export|ui|files|annotations)[\\/]/,
              minShareCount: 3,
              priority: 1,
            },
            { name: volume, debugName: "volume", test: isVolumeViewerModule, minShareCount: 2, priority: 0 },
          ],
        },
      },
    },
  },
  worker: { format: "es", plugins: () => [stubNodeModules()] },
  server: {
    proxy: Object.fromEntries(
      ["/v1", "/files", "/uploads", "/dicomweb", "/outbox"].map((path) => [path, { target: server }]),
    ),
  },
});

/**
 * Codecs read files in Node. In a browser they load them over the network, so the Node modules are replaced by an empty
 * one.
 */
function stubNodeModules(): Plugin {
  const nothing = "\0arcada-no-system";
  return {
    name: "arcada-without-system",
    enforce: "pre",
    resolveId: (id, importer) =>
      (id === "fs" || id === "path") && importer?.includes("@cornerstonejs/codec-") ? nothing : null,
    load: (id) => (id === nothing ? "export default {};" : null),
  };
}

/** Provides exactly the icons that our sources import, as drawings, for the page that lists them. */
function iconsInUse(): Plugin {
  const name = "virtual:icons-in-use";
  return {
    name: "arcada-icons-in-use",
    resolveId: (id) => (id === name ? `\0${name}` : null),
    async load(id) {
      if (id !== `\0${name}`) return null;
      const drawings = await Promise.all(findIconNames().map(async (icon) => [icon, await loadDrawing(icon)]));
      return `export const icons = ${JSON.stringify(Object.fromEntries(drawings))};`;
    },
  };
}

function findIconNames(): string[] {
  const folder = path.join(import.meta.dirname, "src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  const named = files.flatMap((file) =>
    [
      ...readFileSync(path.join(folder, file), "utf8").matchAll(/import\s*\{([^}]*)\}\s*from "@tabler\/icons-react"/g),
    ].flatMap(([, names]) => [...(names ?? "").matchAll(/\bIcon[A-Z]\w*/g)].map(([icon]) => icon)),
  );
  return [...new Set(named)].toSorted();
}

async function loadDrawing(icon: string): Promise<[tag: string, attributes: Record<string, string>][]> {
  const file = (await import(`@tabler/icons-react/dist/esm/icons/${icon}.mjs`)) as {
    __iconNode: [string, Record<string, string>][];
  };
  return file.__iconNode.map(([tag, { key: _, ...attributes }]) => [tag, attributes]);
}

/**
 * Writes `ahead.json`: the files that each page behind the sign-in needs, by its path. The server names them in the
 * page itself, so that the browser loads them in parallel instead of one import after the other.
 */
function preloadManifest(): Plugin {
  return {
    name: "arcada-ahead",
    apply: "build",
    // Chunks that contain only styles have been removed by then.
    enforce: "post",
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? [file] : []));
      const needed = (source: string, known = new Set<string>()): Set<string> => {
        const begin = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${source}`));
        const names = begin ? [begin.fileName] : [];
        for (let name = names.pop(); name; name = names.pop()) {
          if (known.has(name)) continue;
          const chunk = chunks.find(({ fileName }) => fileName === name);
          if (!chunk) continue;
          known.add(name);
          names.push(...chunk.imports);
        }
        return known;
      };
      const first = [...needed(firstPaintEntry)];
      const [start] = needed(appStartEntry);
      const pages = Object.entries(pageFiles).map(([screen, { file }]) => {
        const isViewer = screen === "viewer" || screen === "ctViewer";
        const preloads = needed(
          `${file}.page.tsx`,
          needed("app/app.tsx", needed(isViewer ? studyPrefetchModule : "nothing")),
        );
        const isVolume = screen === "ctViewer";
        if (isVolume) needed(volumeViewerModule, preloads);
        return [
          screens[screen as keyof typeof pageFiles].path,
          { ahead: [...preloads], ...(isViewer && { first }), ...(isVolume && { start }) },
        ];
      });
      this.emitFile({ type: "asset", fileName: "ahead.json", source: JSON.stringify(Object.fromEntries(pages)) });
    },
  };
}

/** Writes a compressed copy next to each asset: compressed once here instead of at every request. */
function compressAssets(): Plugin {
  let folder = "";
  return {
    name: "arcada-compress",
    apply: "build",
    configResolved: (config) => void (folder = path.resolve(config.root, config.build.outDir, "assets")),
    async writeBundle() {
      for (const name of readdirSync(folder)) {
        if (!/\.(js|css|svg|wasm|json)$/.test(name)) continue;
        const file = path.join(folder, name);
        await pipeline(createReadStream(file), createGzip({ level: 9 }), createWriteStream(`${file}.gz`));
        const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
        await pipeline(createReadStream(file), createBrotliCompress(brotliOptions), createWriteStream(`${file}.br`));
      }
    },
  };
}
