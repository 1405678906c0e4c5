import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { peerSettings } from "./peer-process.ts";

// The minimum for a page of this kind: its files, compressed once, from memory.
const { folder } = peerSettings<{ folder: string }>();
const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const kept = new Map<string, Buffer>();

const server = createServer((request, response) => {
  const name = request.url === "/" ? "/index.html" : (request.url ?? "");
  const type = types[path.extname(name)];
  if (!type) return void response.writeHead(404).end();
  const body = kept.get(name) ?? brotliCompressSync(readFileSync(path.join(folder, name)));
  kept.set(name, body);
  response.writeHead(200, { "content-type": type, "content-encoding": "br" }).end(body);
});
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
