import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { rethrow } from "./durable-writes.ts";
import type { ByteRange } from "./file-store.ts";
import { guardStream } from "./guarded-stream.ts";
import { findOutage } from "../http/outages.ts";
import { refuse } from "../http/refuse.ts";

export interface S3Settings {
  endpoint: string;
  region: string;
  bucket: string;
  accessKey: string;
  secretKey: string;
  /** The server's address for browsers, if they may download from it. */
  downloadEndpoint?: string;
}

export interface BucketObject {
  key: string;
  bytes: number;
  modified: Date;
}
export type Bucket = ReturnType<typeof openBucket>;

/**
 * A server that accepts a connection and then sends nothing counts as unavailable, too; one behind a slow line does
 * not.
 */
export const s3Timeouts = { connectionMs: 5000, silentMs: 60_000 } as const;

const connect = (settings: S3Settings): S3Client =>
  new S3Client({
    endpoint: settings.endpoint,
    region: settings.region,
    credentials: { accessKeyId: settings.accessKey, secretAccessKey: settings.secretKey },
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: s3Timeouts.connectionMs, socketTimeout: s3Timeouts.silentMs },
  });

/**
 * Opens a bucket. It uses only features of every S3 server: addresses with the bucket in their path, no trailing
 * checksums (Swift answers 501, others keep the framing as content), no conditional writes, deletion one by one.
 */
export function openBucket(settings: S3Settings) {
  const client = connect(settings);
  const Bucket = settings.bucket;
  const upload = (Key: string, Body: Readable, isEmpty: boolean) =>
    uploadStream(client, { Bucket, Key, Body }, isEmpty);
  return {
    async size(Key: string): Promise<number | null> {
      const found = await unlessMissing(client.send(new HeadObjectCommand({ Bucket, Key })));
      return found && (found.ContentLength ?? 0);
    },
    async send(Key: string, file: string): Promise<void> {
      const { size } = await stat(file);
      await upload(Key, guardStream(createReadStream(file)), size === 0);
    },
    /** Sends content of unknown length. If it ends with an error, there is no object. */
    async sendStream(Key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
      const chunks = content[Symbol.asyncIterator]();
      let first = await chunks.next();
      while (!first.done && first.value.length === 0) first = await chunks.next();
      await upload(Key, Readable.from(chain(first, chunks), { objectMode: false }), first.done === true);
    },
    async read(Key: string, range?: ByteRange): Promise<Readable> {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const found =
        (await unlessMissing(client.send(new GetObjectCommand({ Bucket, Key, ...(Range && { Range }) })))) ??
        refuse("notFound");
      return guardStream(found.Body as Readable);
    },
    async write(Key: string, content: string | Buffer): Promise<void> {
      const Body = typeof content === "string" ? Buffer.from(content) : content;
      await client.send(new PutObjectCommand({ Bucket, Key, Body }));
    },
    async text(Key: string): Promise<string | null> {
      const found = await unlessMissing(client.send(new GetObjectCommand({ Bucket, Key })));
      return found?.Body ? found.Body.transformToString() : null;
    },
    async copy(Key: string, to: string): Promise<void> {
      await unlessMissing(client.send(new CopyObjectCommand({ Bucket, Key: to, CopySource: `${Bucket}/${Key}` })));
    },
    async *list(Prefix: string): AsyncGenerator<BucketObject[]> {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix }))
        yield Contents.map(({ Key = "", Size = 0, LastModified = new Date() }) => ({
          key: Key,
          bytes: Size,
          modified: LastModified,
        }));
    },
    /** Lists the names directly below a prefix, up to their next slash. */
    async listFolders(Prefix: string): Promise<string[]> {
      const names: string[] = [];
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix, Delimiter: "/" }))
        names.push(
          ...(page.CommonPrefixes ?? []).map((one) => (one.Prefix ?? "").slice(Prefix.length).replace(/\/$/, "")),
          ...(page.Contents ?? []).map(({ Key = "" }) => Key.slice(Prefix.length)),
        );
      return names.filter(Boolean);
    },
    async remove(Key: string): Promise<void> {
      await unlessMissing(client.send(new DeleteObjectCommand({ Bucket, Key })));
    },
  };
}

/** Refuses `unavailable` where the server of the bucket is not reached, does not answer, or answers with its own error. */
export const refuseWhenAway = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => (findOutage(error) === "unavailable" ? refuse("unavailable") : rethrow(error)));

const unlessMissing = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => (isMissing(error) ? null : rethrow(error)));

async function uploadStream(
  client: S3Client,
  params: { Bucket: string; Key: string; Body: Readable },
  isEmpty: boolean,
): Promise<void> {
  // lib-storage sends an empty stream as a multipart upload, which has no part.
  if (isEmpty) await client.send(new PutObjectCommand({ ...params, Body: new Uint8Array(0) }));
  else await new Upload({ client, params, queueSize: 3, partSize: uploadPartBytes }).done();
}

/** An upload has at most 10,000 parts, and so at most 80 GB. */
const uploadPartBytes = 8 * 1024 * 1024;

async function* chain(first: IteratorResult<Uint8Array>, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let next = first; !next.done; next = await rest.next()) yield next.value;
}

const isMissing = (error: unknown): boolean => {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return name === "NoSuchKey" || (name === "NotFound" && $metadata?.httpStatusCode === 404);
};
