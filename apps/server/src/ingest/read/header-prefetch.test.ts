import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { writeDicom } from "@arcada/imaging/dicom/write/write-dicom";
import { workerPools } from "../worker-pools.ts";
import { createHeaderPrefetch } from "./header-prefetch.ts";

const folder = mkdtempSync(path.join(tmpdir(), "headers-"));
afterAll(async () => {
  await workerPools().headers.close();
  rmSync(folder, { recursive: true });
});

function writeLocal(name: string, bytes: Uint8Array): { path: string; bytes: number } {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return { path: file, bytes: bytes.length };
}
const createImage = (sopInstanceUid: string): Uint8Array =>
  writeDicom([[0x00080060, "CS", "IO"]], { sopClassUid: "1.2.840.10008.5.1.4.1.1.1.3", sopInstanceUid });

/** 64 MB of empty elements with different tags: each takes 8 bytes in the file, and far more in memory. */
function createElementBomb(): Uint8Array {
  const start = createImage("1.2.3");
  const elements = 8_000_000;
  const bytes = Buffer.alloc(start.length + 8 * elements);
  bytes.set(start);
  for (let at = 0; at < elements; at++) {
    const offset = start.length + 8 * at;
    bytes.writeUInt16LE(0x0011 + 2 * (at >> 16), offset);
    bytes.writeUInt16LE(at & 0xffff, offset + 2);
    bytes.write("LO", offset + 4, "latin1");
  }
  return bytes;
}

it(
  "a file that ends its thread is refused alone, and those that shared its task are read",
  { timeout: 120_000 },
  async () => {
    const files = [
      writeLocal("one", createImage("1.2.1")),
      writeLocal("bomb", createElementBomb()),
      writeLocal("broken", new TextEncoder().encode("no picture")),
      writeLocal("other", createImage("1.2.2")),
    ];
    const read = await createHeaderPrefetch(new AbortController().signal, "clinic").getStored(files);
    expect(read.map((one) => ("value" in one ? one.value.header.sopInstanceUid : one.refusal))).toEqual([
      "1.2.1",
      expect.stringMatching(/^file(Broken|TooSlow|TooMuchMemory)$/),
      "fileNotDicom",
      "1.2.2",
    ]);
  },
);
