import { z } from "zod";
import { limited, required } from "../kernel/fields.ts";
import { deviceRules } from "../device/device.rules.ts";
import { packageVersion } from "./package-version.ts";

export const packageStates = ["published", "withdrawn"] as const;
export type PackageStateBadge = (typeof packageStates)[number];

export const upgradeRules = {
  bytes: 4_000_000_000,
  chunkBytes: 8_000_000,
  maxDescriptionLength: 20_000,
  /** The suffix of a package's signature file. */
  signatureEnding: ".sig.json",
} as const;

/** The platforms for which the gateway is packaged, and the products under which its packages are published. */
export const gatewayPlatforms = ["linux-x64", "win-x64", "darwin-arm64"] as const;
export type GatewayPlatform = (typeof gatewayPlatforms)[number];
export const gatewayProducts = gatewayPlatforms.map((platform) => `Arcada Gateway ${platform}` as const);

/** One word for a line of devices, as the register of devices and packages write it. */
export const product = required(deviceRules.maxTextLength.product);
/** A package's own name among files: nothing in it leads elsewhere. */
export const fileName = required(120).regex(/^[^\p{Cc}\p{Cf}<>:"/\\|?*]+$/u, "fileNameShape");

export const packageManifest = z.object({
  product,
  version: packageVersion,
  /** The hash of the bytes, in hexadecimal. */
  sha256: limited(64, "sumShape").regex(/^[0-9a-f]{64}$/, "sumShape"),
  size: z.int().positive(),
});
export type PackageManifest = z.output<typeof packageManifest>;
export const ed25519Signature = z
  .string()
  .trim()
  .max(88, { abort: true, error: "signatureShape" })
  .regex(/^[A-Za-z0-9+/]{86}==$/, "signatureShape");

/** A package's signature file. */
export const signatureFile = packageManifest.extend({
  format: z.literal("arcada-package-1"),
  algorithm: z.literal("Ed25519"),
  signature: ed25519Signature,
});
export type SignatureFile = z.output<typeof signatureFile>;

/** The text that is signed: neither bytes nor version nor product can be exchanged without its notice. */
export const manifestText = ({ product: of, version, sha256, size }: PackageManifest): string =>
  `${JSON.stringify({ format: "arcada-package-1", product: of, version, sha256, size })}\n`;
