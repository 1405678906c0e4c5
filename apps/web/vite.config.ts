import { createReadStream, createWriteStream, readdirSync } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import type { Plugin } from "vite";

const server = process.env["ARCADA_SERVER"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react(), compress()],
  build: {
    target: "es2023",
    sourcemap: false,
    // The server sends style-src with a nonce and script-src 'self': nothing may be inlined as data: or as code.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
  },
  worker: { format: "es" },
  server: {
    proxy: Object.fromEntries(
      ["/v1", "/files", "/uploads", "/dicomweb", "/outbox"].map((path) => [path, { target: server }]),
    ),
  },
});

/** Writes each asset in small beside it: compressed once here instead of at every request. */
function compress(): Plugin {
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
        const best = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
        await pipeline(createReadStream(file), createBrotliCompress(best), createWriteStream(`${file}.br`));
      }
    },
  };
}
