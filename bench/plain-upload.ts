import { open } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { peerSettings } from "./peer.ts";

export interface PlainUpload {
  folder: string;
}

// What comes goes to one file, is on the disk, and only then answered: the least that an upload can be.
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
