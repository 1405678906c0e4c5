import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { downloadCalls } from "@arcada/contract/order/download.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { sendFile } from "../demo/upload-file.ts";
import type { Product } from "@arcada/testing/setup/product-process";
import { interleave, type Figure } from "./lib/figure-table.ts";
import { peerEnvironment } from "./lib/peer-environment.ts";

const run = promisify(execFile);
const [files, megabytes] = [8, 50];

/** Measures the MB/s of an order's archive up to its last byte, in comparison with `zip -0` of the same files. */
export async function measureOrderZip(product: Product, token: string): Promise<Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-bench-"));
  try {
    const names = Array.from({ length: files }, (_, at) => path.join(folder, `scan-${at}.bin`));
    for (const name of names) writeFileSync(name, randomBytes(megabytes * 1_000_000));
    const order = await createOrder(product, token, names);
    const runs: Record<string, () => Promise<number>> = {
      ours: () => measureSpeed(() => downloadArchive(product, token, order)),
    };
    if (existsSync("/usr/bin/zip")) runs["peer"] = () => measureSpeed(() => runZip(folder, names));
    const { ours = Number.NaN, peer } = await interleave(runs);
    const what = `an order's archive of ${files} files of ${megabytes} MB, packed as it is read`;
    return peer === undefined
      ? [{ what, ours, unit: "MB/s" }]
      : [{ what, ours, unit: "MB/s", peer: { what: "zip -0 of the same files", value: peer }, goal: { least: 0.8 } }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureSpeed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return (files * megabytes * 1000) / (performance.now() - from);
}

async function createOrder(product: Product, token: string, names: readonly string[]): Promise<string> {
  const { id: patientId } = await product.call(
    patientCalls.create,
    { name: "Archive", sex: "female", birthDate: "1990-01-01" },
    { token },
  );
  const uploads: { upload: string; role: "document" }[] = [];
  for (const name of names) {
    const upload = await sendFile(product.address, token, path.basename(name), readFileSync(name));
    uploads.push({ upload, role: "document" });
  }
  const order = { patientId, caseType: "other" as const, items: [], workKinds: [], targetIid: null, dueDate: null };
  return (await product.call(orderCalls.save, { ...order, uploads }, { token })).id;
}

async function downloadArchive(product: Product, token: string, id: string): Promise<void> {
  const { url } = await product.call(downloadCalls.download, { id }, { token });
  await new Promise<void>((resolve, reject) => {
    get(product.address + url, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`the archive answered ${answer.statusCode}`));
      answer
        .on("data", () => {})
        .on("end", resolve)
        .on("error", reject);
    }).on("error", reject);
  });
}

const runZip = async (folder: string, names: readonly string[]): Promise<void> => {
  const archive = path.join(folder, "peer.zip");
  await run("/usr/bin/zip", ["-0", "-q", "-j", archive, ...names], { env: peerEnvironment() });
  rmSync(archive);
};
