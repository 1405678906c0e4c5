import { execFile } from "node:child_process";
import {
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "vite";

const run = promisify(execFile);
/** Fetched once and kept between runs: the peers are no part of the product. */
const folder = process.env.BENCH_PEERS ?? path.join(tmpdir(), "arcada-bench-peers");
const versions = { ohif: "3.13.2", cornerstone: "5" } as const;

/** The names of the viewers beside ours with their versions; Cornerstone3D's is that of the fetched package. */
export function listViewerPeers(): string[] {
  const fetched = path.join(folder, "cornerstone/node_modules/@cornerstonejs/core/package.json");
  const own = createRequire(path.join(import.meta.dirname, "../../apps/web/package.json")).resolve("three");
  return [
    `OHIF ${versions.ohif}`,
    `Cornerstone3D ${existsSync(fetched) ? readVersion(fetched) : versions.cornerstone}`,
    `three ${readVersion(path.join(own.slice(0, own.lastIndexOf("/three/")), "three/package.json"))}`,
  ];
}

const readVersion = (file: string): string => (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;

export interface ViewerPeer {
  /** Returns the page that shows a series, from the study, the series and a token. */
  pageAddress: (of: { study: string; series: string; token: string }) => string;
  port: number;
  stop: () => void;
}

/**
 * The port of the product. A peer's page serves the product's DICOMweb under its own address, because from another
 * origin each frame would need two requests.
 */
type Origin = number;
const dicomweb = "/dicomweb";

/** Null where its package cannot be fetched. */
export async function startOhif(origin: Origin, say: (line: string) => void): Promise<ViewerPeer | null> {
  const dist = path.join(folder, "ohif/package/dist");
  try {
    mkdirSync(path.join(folder, "ohif"), { recursive: true });
    if (!existsSync(dist)) {
      await run("npm", ["pack", `@ohif/app@${versions.ohif}`], { cwd: folder });
      await run("tar", ["-xzf", `ohif-app-${versions.ohif}.tgz`, "-C", "ohif"], { cwd: folder });
    }
  } catch (error) {
    say(`OHIF is not to be had here: ${String(error)}`);
    return null;
  }
  writeFileSync(path.join(dist, "app-config.js"), ohifConfig);
  const server = await startStaticServer(dist, origin);
  return toPeer(server, ({ study, token }) => `/viewer?StudyInstanceUIDs=${study}&token=${token}`);
}

/** A page with Cornerstone3D and nothing else. Null where its packages cannot be fetched. */
export async function startCornerstone(origin: Origin, say: (line: string) => void): Promise<ViewerPeer | null> {
  const page = path.join(folder, "cornerstone");
  try {
    mkdirSync(page, { recursive: true });
    cpSync(path.join(import.meta.dirname, "cornerstone-alone"), page, { recursive: true });
    if (!existsSync(path.join(page, "node_modules/events"))) {
      writeFileSync(path.join(page, "package.json"), `{"private":true,"type":"module"}`);
      const names = ["core", "dicom-image-loader"].map((name) => `@cornerstonejs/${name}@${versions.cornerstone}`);
      await run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "events", ...names], { cwd: page });
    }
  } catch (error) {
    say(`Cornerstone3D is not to be had here: ${String(error)}`);
    return null;
  }
  const dist = path.join(page, "dist");
  await build({
    root: page,
    configFile: false,
    logLevel: "error",
    build: { outDir: dist, emptyOutDir: true, target: "es2023", modulePreload: { polyfill: false } },
    worker: { format: "es" },
    // A part of it requires Node's module of that name.
    resolve: { alias: { events: path.join(page, "node_modules/events/events.js") } },
  });
  const server = await startStaticServer(dist, origin);
  return toPeer(server, (of) => `/?${new URLSearchParams({ root: dicomweb, ...of })}`);
}

/** A page that shows the STL at `/files/…` by three, the library that ours is made with, and nothing else. */
export async function startThree(origin: Origin): Promise<Pick<ViewerPeer, "port" | "stop">> {
  const dist = path.join(folder, "three");
  await build({
    root: path.join(import.meta.dirname, "three-alone"),
    configFile: false,
    logLevel: "error",
    build: { outDir: dist, emptyOutDir: true, target: "es2023", modulePreload: { polyfill: false } },
  });
  const { port, stop } = toPeer(await startStaticServer(dist, origin), () => "/");
  return { port, stop };
}

const toPeer = (server: Server, pageOf: ViewerPeer["pageAddress"]): ViewerPeer => ({
  port: (server.address() as AddressInfo).port,
  pageAddress: pageOf,
  stop: () => {
    server.closeAllConnections();
    server.close();
  },
});

const ohifConfig = `window.config = {
  routerBasename: null, showStudyList: false, extensions: [], modes: [], maxNumberOfWebWorkers: 2,
  showWarningMessageForCrossOrigin: false, showCPUFallbackMessage: false, investigationalUseDialog: { option: "never" },
  dataSources: [{
    namespace: "@ohif/extension-default.dataSourcesModule.dicomweb", sourceName: "arcada",
    configuration: {
      friendlyName: "Arcada", name: "arcada", qidoRoot: "${dicomweb}", wadoRoot: "${dicomweb}",
      qidoSupportsIncludeField: true, supportsFuzzyMatching: true, supportsWildcard: true,
      imageRendering: "wadors", thumbnailRendering: "wadors", enableStudyLazyLoad: true,
      bulkDataURI: { enabled: true, relativeResolution: "studies" },
    },
  }],
  defaultDataSourceName: "arcada",
};`;

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
};

/** A folder on loopback; an address that is no file is the page's own. */
async function startStaticServer(dist: string, origin: Origin): Promise<Server> {
  const files = new Set(readdirSync(dist, { recursive: true }).map((name) => `/${String(name)}`));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (pathname.startsWith(`${dicomweb}/`) || pathname.startsWith("/files/"))
      return forwardRequest(origin, request, response);
    const file = path.join(dist, files.has(pathname) && pathname !== "/" ? pathname : "index.html");
    if (!statSync(file).isFile()) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": types[path.extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function forwardRequest(port: Origin, request: IncomingMessage, response: ServerResponse): void {
  const { method, url: path, headers } = request;
  const far = ask({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  far.on("error", () => response.destroy());
  response.on("close", () => far.destroy());
  request.pipe(far);
}
