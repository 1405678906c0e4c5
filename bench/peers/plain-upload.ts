import { open } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { peerSettings } from "./peer-process.ts";

export interface PlainUpload {
  folder: string;
}

// Each request body is written to one file and synced to disk before the response: the minimum cost of an upload.
const { folder } = peerSettings<PlainUpload>();
const server = createServer(async (request, response) => {
  const file = await open(path.join(folder, "plain"), "w");
  for await (const chunk of request) await file.write(chunk as Buffer);
  await file.sync();
  await file.close();
  response.end();
});
process.once("SIGTERM", () => server.close());
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
