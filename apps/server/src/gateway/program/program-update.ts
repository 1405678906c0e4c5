import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { isLowerVersion, packageVersion } from "@arcada/contract/upgrade/package-version";
import {
  ed25519Signature,
  gatewayPlatforms,
  gatewayProducts,
  manifestText,
  packageManifest,
} from "@arcada/contract/upgrade/upgrade.rules";
import { findSigner } from "../../platform/security/find-signer.ts";
import { writeHashed, syncFolder } from "../../platform/storage/durable-writes.ts";
import { openZip } from "../../platform/storage/zip-reader.ts";
import type { OpenDownload } from "../cloud-connection.ts";
import { fetchFile } from "../fetch-file.ts";
import { programPath, type Installation } from "./installation.ts";

/** A package as Arcada offers it. */
export const offeredPackage = packageManifest.extend({ signature: ed25519Signature, url: z.string() });
export type OfferedPackage = z.output<typeof offeredPackage>;

/** The reason why a package is not installed. */
export class UpdateRefused extends Error {
  override name = "UpdateRefused";
}

/** The program with a Node of its own has about 130 MB. */
const limits = { bytes: 400_000_000, entries: 2000, unpackedBytes: 800_000_000 } as const;

/** The product of this program's packages on this machine; null where none are made. */
export function ownProduct(platform: string = process.platform, arch: string = process.arch) {
  const name = `${platform === "win32" ? "win" : platform}-${arch}`;
  return gatewayProducts[gatewayPlatforms.findIndex((one) => one === name)] ?? null;
}

/**
 * Installs an offered package beside the present version and puts it on trial at the next start. Nothing of it is read
 * before its signature, size and hash were verified; a kill at any moment leaves the present version as it is.
 * @returns false if the version is installed already or has failed before
 * @throws UpdateRefused, CloudRefused, errors of the network and the file system
 */
export async function installPackage(
  installation: Installation,
  offered: OfferedPackage,
  present: { version: string; product: string },
  download: OpenDownload,
): Promise<boolean> {
  const { version } = offered;
  verifyOffer(installation, offered, present);
  const state = installation.readState();
  if (state.failed.includes(version) || state.current === version || state.trial?.version === version) return false;
  await mkdir(installation.at("updates"), { recursive: true });
  const archive = installation.at("updates", `${offered.sha256}.zip`);
  await removeOthers(installation.at("updates"), offered.sha256);
  await fetchFile(download, offered.url, archive, offered.size);
  await verifyContent(archive, offered);
  const unpacked = installation.at("versions", `${version}.part`);
  await rm(unpacked, { recursive: true, force: true });
  await unpackProgram(archive, unpacked);
  // A folder of this version can only be what a kill left behind: no state names it.
  await rm(installation.versionFolder(version), { recursive: true, force: true });
  await rename(unpacked, installation.versionFolder(version));
  await syncFolder(installation.at("versions"));
  await installation.writeState({ ...state, trial: { version, starts: 0 } });
  await rm(archive, { force: true });
  return true;
}

/** Removes versions that nothing leads back to. */
export async function removeOldVersions(installation: Installation): Promise<void> {
  const { current, previous, trial } = installation.readState();
  const kept = new Set([current, previous, trial?.version]);
  for (const name of await readdir(installation.at("versions")))
    if (!kept.has(name)) await rm(installation.at("versions", name), { recursive: true, force: true });
}

function verifyOffer(
  installation: Installation,
  offered: OfferedPackage,
  present: { version: string; product: string },
): void {
  const keys = installation.readUpdateKeys();
  // The version becomes the name of a folder.
  if (!packageVersion.safeParse(offered.version).success) throw new UpdateRefused("the version is none");
  if (offered.product !== present.product) throw new UpdateRefused(`the package is for ${offered.product}`);
  if (findSigner(Buffer.from(manifestText(offered)), offered.signature, keys) === null)
    throw new UpdateRefused("no key of this installation has signed the package");
  // An old package with a known fault is signed as well.
  if (!isLowerVersion(present.version, offered.version))
    throw new UpdateRefused(`version ${offered.version} is not above ${present.version}`);
  if (offered.size > limits.bytes) throw new UpdateRefused("the package is too large");
}

async function verifyContent(archive: string, { size, sha256 }: OfferedPackage): Promise<void> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(archive), hash);
  const { size: actual } = await stat(archive);
  if (actual === size && hash.digest("hex") === sha256) return;
  await rm(archive, { force: true });
  throw new UpdateRefused(actual < size ? "the package is cut off" : "the package is not what was signed");
}

async function removeOthers(folder: string, sha256: string): Promise<void> {
  for (const name of await readdir(folder))
    if (!name.startsWith(sha256)) await rm(path.join(folder, name), { recursive: true, force: true });
}

async function unpackProgram(archive: string, folder: string): Promise<void> {
  const zip = await openZip(archive);
  try {
    if (zip.entryCount > limits.entries) throw new UpdateRefused("the package has too many files");
    let bytes = 0;
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileNameRaw.toString("utf8");
      bytes += entry.uncompressedSize;
      if (bytes > limits.unpackedBytes || !isProgramPath(name)) throw new UpdateRefused("the package is not a program");
      const target = path.join(folder, ...name.split("/"));
      await mkdir(path.dirname(target), { recursive: true });
      await writeHashed(target, await zip.openReadStreamPromise(entry));
      if (name === "node") await chmod(target, 0o755);
    }
  } finally {
    zip.close();
  }
  const program = await open(path.join(folder, ...programPath)).catch(() => null);
  if (!program) throw new UpdateRefused("the package has no program");
  await program.close();
  await syncFolder(folder);
}

const isProgramPath = (name: string): boolean =>
  name.split("/").every((part) => /^[\w][\w.-]*$/.test(part)) && name.length < 200;
