import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { publicKeyOf, readSigningKey } from "../../platform/security/signing-key.ts";
import { signPackFiles, zipPackFiles } from "./pack-archive.ts";
import { openPack, readEntries } from "./pack-file.ts";

// Signs an engine pack on a machine without server or database. The private key stays with the signer.
const usage = "Usage: sign-pack PACK.zip --key KEY.pem --out SIGNED.zip";

async function signPack(file: string, keyFile: string, out: string): Promise<string> {
  const key = readSigningKey(keyFile);
  const zip = await zipPackFiles(signPackFiles(Object.fromEntries(await readEntries(file)), key));
  writeFileSync(out, zip);
  // The written file is read as the product reads it, so that no broken pack is released.
  const { info } = await openPack(out, { keys: [`signer=${publicKeyOf(key)}`], unsigned: false });
  const sum = createHash("sha256").update(zip).digest("hex");
  return `${out}: ${info.id} ${info.version}, ${zip.length} bytes, SHA-256 ${sum}`;
}

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: { key: { type: "string" }, out: { type: "string" } },
  allowPositionals: true,
});
const [file] = positionals;
if (file === undefined || values.key === undefined || values.out === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else {
  try {
    process.stdout.write(`${await signPack(file, values.key, values.out)}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
