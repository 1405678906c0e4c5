import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = process.env["ARCADA_SERVER"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react()],
  build: {
    target: "es2023",
    sourcemap: false,
    // The server sends style-src with a nonce and script-src 'self': nothing may be inlined as data: or as code.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  worker: { format: "es" },
  server: {
    proxy: Object.fromEntries(["/v1", "/files", "/uploads", "/dicomweb", "/outbox"].map((path) => [path, { target: server }])),
  },
});
