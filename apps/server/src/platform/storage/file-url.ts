import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from "node:crypto";
import { studyRules } from "@arcada/contract/study/study.rules";
import type { StorageArea } from "./file-store.ts";
import { currentHolder, holderProof } from "../live/address-holders.ts";
import type { HolderClaim, Holder } from "../live/address-holders.ts";

export interface FileAddress {
  area: StorageArea;
  iid: string;
  sha256: string;
  /** The file name for a person who saves the file. */
  name: string;
  /** The media type, which is determined by us and never by the uploader. */
  type: string;
  /** True if the file is to be saved, not shown. */
  download?: boolean;
  /** True if the stored bytes are the gzip of the addressed file. */
  gzip?: boolean;
  /** The order for whose receiver a de-identified copy is sent instead. */
  clean?: string;
}

/** An address with a valid signature: the file, and the claimed holder. */
export interface VerifiedAddress extends FileAddress {
  claim: HolderClaim;
}

// An address stays the same for two minutes, so that a page that requests it twice finds its images in the browser's
// cache.
const stableSeconds = 120;

/**
 * Returns a short-lived address of one file for the holder whose call is being answered: call it only after checking
 * their right to the file. Without a holder it fails, since the address would be valid for anybody.
 */
export function createFileUrl(
  secret: string,
  file: FileAddress,
  now = Date.now(),
  holder: Holder | undefined = currentHolder(),
): string {
  if (!holder) throw new Error("the address of a file is made for nobody");
  const seconds = Math.floor(now / 1000);
  const expires = seconds - (seconds % stableSeconds) + studyRules.linkSeconds;
  const signed = signature(secret, file, holder.id, expires);
  const parts = [
    `t=${encodeURIComponent(file.type)}&e=${expires}`,
    file.download ? "&d=1" : "",
    file.gzip ? "&z=1" : "",
    file.clean ? `&c=${encodeURIComponent(file.clean)}` : "",
    `&h=${encodeURIComponent(holder.id)}&s=${signed}&p=${holderProof(holder.tokenHash, signed)}`,
  ].join("");
  return `/files/${file.area}/${file.iid}/${file.sha256}/${encodeURIComponent(file.name)}?${parts}`;
}

/** The parts of a request for a file, before any of them is verified. */
export interface ClaimedAddress {
  path: { area: string; iid: string; sha256: string; name: string };
  query: Record<string, unknown>;
}

/** Returns the file of an address; null if it has expired or was not signed by us. */
export function verifyFileUrl(secret: string, claimed: ClaimedAddress, now = Date.now()): VerifiedAddress | null {
  const { t, e, s, d, z, c, h, p } = claimed.query;
  if (typeof t !== "string" || typeof e !== "string" || typeof s !== "string" || !/^\d{1,12}$/.test(e)) return null;
  if (typeof h !== "string" || h === "") return null;
  const file: FileAddress = {
    ...claimed.path,
    area: claimed.path.area as StorageArea,
    type: t,
    download: d === "1",
    gzip: z === "1",
    ...(typeof c === "string" && { clean: c }),
  };
  if (!isEqual(s, signature(secret, file, h, Number(e)))) return null;
  return now < Number(e) * 1000 ? { ...file, claim: { holder: h, signature: s, proof: p } } : null;
}

function signature(secret: string, file: FileAddress, holder: string, expires: number): string {
  const parts = [
    file.area,
    file.iid,
    file.sha256,
    file.name,
    file.type,
    Boolean(file.download),
    Boolean(file.gzip),
    file.clean ?? "",
    holder,
    expires,
  ];
  return createHmac("sha256", signingKey(secret)).update(JSON.stringify(parts)).digest("base64url");
}

// A study of 450 slices needs a thousand addresses, and signing them must not hold up others.
const known = new Map<string, KeyObject>();
function signingKey(secret: string): KeyObject {
  const key = known.get(secret) ?? createSecretKey(createHmac("sha256", secret).update("file-url").digest());
  known.set(secret, key);
  return key;
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
