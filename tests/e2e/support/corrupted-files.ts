import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createIntraoralRadiograph } from "@arcada/phantom/radiograph/intraoral-radiograph";
import { createArchScan } from "@arcada/phantom/scan/arch-scan";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { findRealFile, createScratchFolder, writeZip } from "./test-files.ts";

export interface CorruptedFile {
  description: string;
  file: string;
  refusal: RefusalName;
}

const folder = createScratchFolder();
const writeTestFile = (name: string, bytes: Uint8Array): string => {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
};
const head = makeHead("spoilt");
const who = { id: "S-1", name: "赵敏", sex: "F", birthDate: "19920304" } as const;

/** Files as they really come: each is to be refused for its own reason. */
export async function createCorruptedFiles(): Promise<CorruptedFile[]> {
  const { bytes } = createIntraoralRadiograph(head, who);
  return [
    {
      description: "a text that is called .dcm",
      file: writeTestFile("letter.dcm", Buffer.from("Dear colleague, ".repeat(40))),
      refusal: "fileNotDicom",
    },
    {
      description: "a DICOM file that ends too early",
      file: writeTestFile("cut.dcm", bytes.subarray(0, Math.round(bytes.length * 0.6))),
      refusal: "fileTruncated",
    },
    {
      description: "an encrypted archive",
      file: findRealFile("encryptedZip") ?? (await createEncryptedZip()),
      refusal: "zipEncrypted",
    },
    { description: "a scan without a byte", file: writeTestFile("empty.stl", new Uint8Array()), refusal: "fileEmpty" },
  ];
}

/** Writes a scan of several megabytes, which takes some time to upload. */
export const writeLongScan = (): string => writeTestFile("long-upper.stl", writeStl(createArchScan(head, "upper")));

/** An archive whose entries are flagged as encrypted (APPNOTE 4.4.4, bit 0). */
async function createEncryptedZip(): Promise<string> {
  const file = await writeZip(path.join(folder, "secret.zip"), [{ name: "a.dcm", bytes: new Uint8Array(500) }]);
  const bytes = readFileSync(file);
  for (const [signature, flags] of [
    ["PK\u0003\u0004", 6],
    ["PK\u0001\u0002", 8],
  ] as const)
    for (let at = bytes.indexOf(signature, 0, "latin1"); at >= 0; at = bytes.indexOf(signature, at + 4, "latin1"))
      bytes[at + flags] |= 1;
  return writeTestFile("secret.zip", bytes);
}
