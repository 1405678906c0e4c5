import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { createSigner, writePack } from "@arcada/testing/analysis/write-engine-pack";
import { signPackFiles, zipPackFiles } from "./pack-archive.ts";
import { openPack, readEntries } from "./pack-file.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-archive-"));
afterAll(() => rmSync(folder, { recursive: true }));
const [former, house] = [createSigner("Former"), createSigner("House")];

async function signAgain() {
  const file = await writePack(path.join(folder, "former.zip"), { model: Buffer.from("a model"), signer: former });
  return zipPackFiles(signPackFiles(Object.fromEntries(await readEntries(file)), house.key));
}

it("replaces the signature of a pack that another key has signed", async () => {
  const file = path.join(folder, "signed.zip");
  writeFileSync(file, await signAgain());
  expect(await openPack(file, { keys: [house.trusted], unsigned: false })).toMatchObject({ signedBy: "House" });
});

it("makes the same bytes of the same files and key", async () => {
  expect(await signAgain()).toEqual(await signAgain());
});
