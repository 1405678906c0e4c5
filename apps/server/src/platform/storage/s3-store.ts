import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
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
import { removeFile, refuseWhenFull, rethrow, removeStaleFiles, temporaryPath, writeHashed } from "./durable-writes.ts";
import { storageAreas, fileKey, hashFile, parseFileKey } from "./file-store.ts";
import type { AdoptOptions, StorageArea, ByteRange, FileStore, StoredFileInfo, StoredName } from "./file-store.ts";
import { guardStream } from "./guarded-stream.ts";
import { refuse } from "../http/refuse.ts";

export interface S3Settings {
  endpoint: string;
  region: string;
  bucket: string;
  accessKey: string;
  secretKey: string;
}

/**
 * A file store in a bucket. It uses only features of every S3 server: addresses with the bucket in their path, no
 * trailing checksums (Swift answers 501, others keep the framing as content), no conditional writes, deletion one by
 * one.
 */
export function createS3Store(settings: S3Settings, temporaryFolder: string): FileStore {
  const bucket = openBucket(connect(settings), settings.bucket);

  const upload = async (
    area: StorageArea,
    iid: string,
    stored: StoredFileInfo,
    file: string,
  ): Promise<StoredFileInfo> => {
    const key = fileKey(area, iid, stored.sha256);
    if ((await bucket.size(key)) !== stored.bytes) await bucket.send(key, file);
    return stored;
  };
  const put = async (area: StorageArea, iid: string, source: Readable | Uint8Array): Promise<StoredFileInfo> => {
    // The name is the content's hash, so the content is needed whole before it can be sent.
    const temporary = await temporaryPath(temporaryFolder);
    try {
      return await upload(area, iid, await writeHashed(temporary, source), temporary);
    } finally {
      await removeFile(temporary);
    }
  };
  const adopt = async (
    area: StorageArea,
    iid: string,
    localPath: string,
    how: AdoptOptions = {},
  ): Promise<StoredFileInfo> => {
    const stored = await hashFile(localPath);
    if (how.sha256 && how.sha256 !== stored.sha256)
      throw new Error("an upload's bytes changed after they had been received");
    await upload(area, iid, stored, localPath);
    if (!how.keep) await removeFile(localPath);
    return stored;
  };
  return {
    put: (...given) => refuseWhenFull(put(...given)),
    adopt: (...given) => refuseWhenFull(adopt(...given)),
    read: (area, iid, sha256, range) => bucket.read(fileKey(area, iid, sha256), range),
    readChunks: async function* (area, iid, sha256, range) {
      yield* await bucket.read(fileKey(area, iid, sha256), range);
    },
    readInto: async (area, iid, sha256, start, into) =>
      readInto(await bucket.read(fileKey(area, iid, sha256), { start, end: start + into.length - 1 }), into),
    bytes: (area, iid, sha256) => bucket.size(fileKey(area, iid, sha256)),
    local: async (area, iid, sha256, work) => {
      const temporary = await temporaryPath(temporaryFolder);
      try {
        const copied = await refuseWhenFull(writeHashed(temporary, await bucket.read(fileKey(area, iid, sha256))));
        if (copied.sha256 !== sha256) refuse("fileDamaged");
        return await work(temporary);
      } finally {
        await removeFile(temporary);
      }
    },
    remove: (area, iid, sha256) => bucket.remove(fileKey(area, iid, sha256)),
    quarantine: async (area, iid, sha256) => {
      const key = fileKey(area, iid, sha256);
      await bucket.copy(key, `damaged/${key}`);
      await bucket.remove(key);
    },
    probe: () => probe(bucket),
    list: (before) => bucket.list(before),
    removeStale: () => removeStaleFiles(temporaryFolder),
    storeId: async (write) => {
      if (write !== undefined) await bucket.write("storage.id", write);
      return bucket.text("storage.id");
    },
  };
}

async function readInto(source: Readable, into: Uint8Array): Promise<void> {
  let done = 0;
  for await (const chunk of source) {
    const bytes = chunk as Uint8Array;
    if (done + bytes.length > into.length) refuse("fileDamaged");
    into.set(bytes, done);
    done += bytes.length;
  }
  if (done < into.length) refuse("fileDamaged");
}

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

function openBucket(client: S3Client, Bucket: string) {
  const unlessMissing = <T>(work: Promise<T>): Promise<T | null> =>
    work.catch((error: unknown) => (isMissing(error) ? null : rethrow(error)));
  return {
    async size(Key: string): Promise<number | null> {
      const found = await unlessMissing(client.send(new HeadObjectCommand({ Bucket, Key })));
      return found && (found.ContentLength ?? 0);
    },
    async send(Key: string, file: string): Promise<void> {
      const { size } = await stat(file);
      // lib-storage sends an empty stream as a multipart upload, which has no part.
      if (size === 0) await client.send(new PutObjectCommand({ Bucket, Key, Body: new Uint8Array(0) }));
      else
        await new Upload({
          client,
          params: { Bucket, Key, Body: guardStream(createReadStream(file)) },
          queueSize: 3,
          partSize: 8 * 1024 * 1024,
        }).done();
    },
    async read(Key: string, range?: ByteRange): Promise<Readable> {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const found =
        (await unlessMissing(client.send(new GetObjectCommand({ Bucket, Key, ...(Range && { Range }) })))) ??
        refuse("notFound");
      return guardStream(found.Body as Readable);
    },
    async write(Key: string, text: string): Promise<void> {
      await client.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.from(text) }));
    },
    async text(Key: string): Promise<string | null> {
      const found = await unlessMissing(client.send(new GetObjectCommand({ Bucket, Key })));
      return found?.Body ? found.Body.transformToString() : null;
    },
    async copy(Key: string, to: string): Promise<void> {
      await unlessMissing(client.send(new CopyObjectCommand({ Bucket, Key: to, CopySource: `${Bucket}/${Key}` })));
    },
    async *list(before: Date): AsyncGenerator<StoredName[]> {
      for (const area of storageAreas)
        for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: `${area}/` }))
          yield Contents.filter(({ LastModified }) => LastModified && LastModified < before).flatMap(
            ({ Key = "" }) => parseFileKey(Key) ?? [],
          );
    },
    async remove(Key: string): Promise<void> {
      await unlessMissing(client.send(new DeleteObjectCommand({ Bucket, Key })));
    },
  };
}

async function probe(bucket: ReturnType<typeof openBucket>): Promise<void> {
  await bucket.write("probe", "arcada");
  if ((await bucket.text("probe")) !== "arcada")
    throw new Error("the file store gives back other bytes than were written");
  await bucket.remove("probe");
}

const isMissing = (error: unknown): boolean => {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return name === "NoSuchKey" || (name === "NotFound" && $metadata?.httpStatusCode === 404);
};
