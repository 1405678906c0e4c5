import { createHash, createHmac } from "node:crypto";
import type { S3Settings } from "./s3-bucket.ts";

/** An object's download, of which the signature fixes every part. */
interface PresignedDownload {
  key: string;
  /** The media type and the disposition of the answer, whatever the store remembers. */
  type: string;
  disposition: string;
  /** The `Range` header of the request to the store; without it, the address opens the whole object. */
  range?: string;
}

/** An address lasts for the redirect alone: a download that has begun goes on behind its end. */
const presignedSeconds = 60;

/**
 * Returns an address under which the store itself sends an object, by Signature Version 4 in the query (Amazon S3 API
 * Reference, "Authenticating Requests: Using Query Parameters").
 * @param endpoint the address of the store for browsers, if it differs from ours
 */
export function presignDownload(
  settings: S3Settings,
  download: PresignedDownload,
  endpoint = settings.endpoint,
): string {
  const { origin, host, pathname } = new URL(endpoint);
  const path = `${pathname.replace(/\/$/, "")}/${[settings.bucket, ...download.key.split("/")].map(encode).join("/")}`;
  const time = new Date().toISOString().replace(/[:-]|\.\d{3}/g, "");
  const scope = [time.slice(0, 8), settings.region, "s3", "aws4_request"];
  const headers = { host, ...(download.range !== undefined && { range: download.range }) };
  const names = Object.keys(headers).join(";");
  const query = canonicalQuery({
    "X-Amz-Algorithm": algorithm,
    "X-Amz-Credential": [settings.accessKey, ...scope].join("/"),
    "X-Amz-Date": time,
    "X-Amz-Expires": String(presignedSeconds),
    "X-Amz-SignedHeaders": names,
    "response-cache-control": "private, no-store",
    "response-content-disposition": download.disposition,
    "response-content-type": download.type,
  });
  const signedHeaders = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const request = ["GET", path, query, signedHeaders.join(""), names, "UNSIGNED-PAYLOAD"].join("\n");
  const toSign = [algorithm, time, scope.join("/"), createHash("sha256").update(request).digest("hex")].join("\n");
  return `${origin}${path}?${query}&X-Amz-Signature=${hmac(signingKey(settings.secretKey, scope), toSign).toString("hex")}`;
}

const algorithm = "AWS4-HMAC-SHA256";

// The names above are in the order of their code points, as the signature requires.
const canonicalQuery = (parameters: Record<string, string>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join("&");

/** RFC 3986: `encodeURIComponent` leaves five more characters as they are. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
const signingKey = (secret: string, scope: readonly string[]): Buffer =>
  scope.reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secret}`));
