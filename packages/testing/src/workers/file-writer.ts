import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { createDiskStore } from "../../../../apps/server/src/platform/storage/disk-store.ts";

/** Writes files until it is killed, two at a time, and prints each one's name as soon as it is safe. */
const [root, iid] = process.argv.slice(2) as [string, string];
const files = createDiskStore(root);
const write = async (): Promise<void> => {
  for (;;) {
    const pieces = Array.from({ length: 1 + Math.floor(Math.random() * 20) }, () => randomBytes(20_000));
    const { sha256 } = await files.put("originals", iid, Readable.from(pieces));
    process.stdout.write(`${sha256}\n`);
  }
};
await Promise.all([write(), write()]);
