import { createHash } from "node:crypto";
import { createReadStream, readFileSync, statSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { manifestText, packageManifest, signatureFile, upgradeRules } from "@arcada/contract/upgrade/upgrade.rules";
import { findSigner } from "../platform/security/find-signer.ts";
import { createSigningKey, publicKeyOf, readSigningKey } from "../platform/security/signing-key.ts";
import { signPackage } from "./package-signing.ts";

// Signs and verifies upgrade packages on a machine without server or database: the private key stays with the signer,
// and a person who has fetched a package verifies it before its installation.
const usage = `Usage:
  package-key KEY.pem [--name NAME]
  sign-package FILE --key KEY.pem --product PRODUCT --version VERSION [--out FILE${upgradeRules.signatureEnding}]
  verify-package FILE --key NAME=PUBLIC [--signature FILE${upgradeRules.signatureEnding}] [--product PRODUCT] [--version VERSION]`;

const options = {
  key: { type: "string", multiple: true },
  name: { type: "string" },
  product: { type: "string" },
  version: { type: "string" },
  signature: { type: "string" },
  out: { type: "string" },
} as const;
type CommandOptions = ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];

const verbs: Record<string, (file: string, given: CommandOptions) => Promise<string[]>> = {
  "package-key": async (file, { name = "release" }) => [`PACKAGE_KEYS=${name}=${publicKeyOf(createSigningKey(file))}`],
  "sign-package": async (file, { key: [key] = [], product, version, out = file + upgradeRules.signatureEnding }) => {
    const manifest = packageManifest.safeParse({ product, version, ...(await hashFile(file)) });
    if (!manifest.success || !key) throw new CommandError([usage]);
    const made = signPackage(manifest.data, readSigningKey(key));
    writeFileSync(out, `${JSON.stringify(made, null, 2)}\n`);
    return [`${out}: ${made.product} ${made.version}, ${made.size} bytes, SHA-256 ${made.sha256}`, made.signature];
  },
  "verify-package": async (file, { key = [], product, version, signature = file + upgradeRules.signatureEnding }) => {
    const keys = key.map((one) => (/^[A-Za-z0-9+/]{43}=$/.test(one) ? `key=${one}` : one));
    if (!keys.every((one) => /^[^=]+=[A-Za-z0-9+/]{43}=$/.test(one)) || keys.length === 0)
      throw new CommandError([usage]);
    const signatureJson = signatureFile.safeParse(JSON.parse(readFileSync(signature, "utf8")));
    if (!signatureJson.success) throw new CommandError([`${signature} is no signature of a package.`]);
    const { data } = signatureJson;
    const actual = await hashFile(file);
    const signer = findSigner(Buffer.from(manifestText(data)), data.signature, keys);
    const wrong = [
      signer === null && "signature: none of the given keys has signed this product, version, size and sum",
      actual.size !== data.size && `size: ${actual.size} bytes, ${data.size} were signed`,
      actual.sha256 !== data.sha256 && `contents: SHA-256 ${actual.sha256}, ${data.sha256} was signed`,
      product !== undefined && product !== data.product && `product: ${data.product}, not ${product}`,
      version !== undefined && version !== data.version && `version: ${data.version}, not ${version}`,
    ].filter((line) => line !== false);
    if (wrong.length > 0)
      throw new CommandError([`${file} is not what was published:`, ...wrong.map((line) => `  ${line}`)]);
    return [`${file} is ${data.product} ${data.version}, as ${signer} has signed it.`];
  },
};

/** An error message for the person who ran the command. */
class CommandError extends Error {
  readonly lines: string[];
  constructor(lines: string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

async function hashFile(file: string): Promise<{ sha256: string; size: number }> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
  return { sha256: hash.digest("hex"), size: statSync(file).size };
}

try {
  const { values, positionals } = parseArgs({ args: process.argv.slice(2), options, allowPositionals: true });
  const [name = "", file] = positionals;
  const verb = verbs[name];
  if (!verb || file === undefined) throw new CommandError([usage]);
  process.stdout.write(`${(await verb(file, values)).join("\n")}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof CommandError ? error.lines.join("\n") : (error as Error).message}\n`);
  process.exitCode = error instanceof CommandError && error.message !== usage ? 1 : 2;
}
