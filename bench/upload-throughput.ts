import { randomBytes } from "node:crypto";
import { interleave } from "./lib/figure-table.ts";
import type { Figure } from "./lib/figure-table.ts";
import { startPeer } from "./peers/peer-process.ts";
import type { PlainUpload } from "./peers/plain-upload.ts";

const megabytes = 200;

/** Measures the MB/s of one large upload, in comparison with one request streamed to the same disk. */
export async function measureUpload(address: string, token: string, folder: string): Promise<Figure[]> {
  const plain = await startPeer("plain-upload.ts", { folder } satisfies PlainUpload);
  const body = randomBytes(megabytes * 1_000_000);
  try {
    const { ours, peer } = await interleave({
      ours: () => measureSpeed(() => uploadResumable(address, token, body)),
      peer: () => measureSpeed(() => uploadPlain(plain.address, body)),
    });
    return [
      {
        what: `upload of one ${megabytes} MB file over tus, on the disk and hashed`,
        ours,
        peer: { what: "one request to node:http, written and fsynced", value: peer },
        unit: "MB/s",
        goal: { least: 0.8 },
      },
    ];
  } finally {
    await plain.stop();
  }
}

async function measureSpeed(send: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await send();
  return (megabytes * 1000) / (performance.now() - from);
}

async function uploadPlain(address: string, body: Buffer<ArrayBuffer>): Promise<void> {
  const sent = await fetch(address, { method: "POST", body });
  await sent.arrayBuffer();
  if (!sent.ok) throw new Error(`the plain upload answered ${sent.status}`);
}

async function uploadResumable(address: string, token: string, body: Buffer<ArrayBuffer>): Promise<void> {
  const common = { token, "tus-resumable": "1.0.0" };
  const metadata = `filename ${Buffer.from("scan.bin").toString("base64")}`;
  const made = await fetch(`${address}/uploads`, {
    method: "POST",
    headers: { ...common, "upload-length": String(body.length), "upload-metadata": metadata },
  });
  if (made.status !== 201) throw new Error(`the upload was refused: ${made.status} ${await made.text()}`);
  const place = new URL(made.headers.get("location") ?? "", address);
  // Sends the file in one request, as our own page does. After an interruption the server returns the offset to resume
  // at.
  const sent = await fetch(place, {
    method: "PATCH",
    headers: { ...common, "upload-offset": "0", "content-type": "application/offset+octet-stream" },
    body,
  });
  if (sent.status !== 204) throw new Error(`the upload broke: ${sent.status} ${await sent.text()}`);
  // Not part of the peer's measurement, but five of them would fill the disk.
  await fetch(place, { method: "DELETE", headers: common });
}
