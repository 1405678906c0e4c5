import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { removeFile, refuseWhenFull, removeStaleFiles, temporaryPath, writeHashed } from "./durable-writes.ts";
import { storageAreas, fileKey, hashFile, parseFileKey, requireSameContent } from "./file-store.ts";
import type { AdoptOptions, StorageArea, FileStore, StoredFileInfo } from "./file-store.ts";
import { presignDownload } from "./presign-download.ts";
import { openBucket } from "./s3-bucket.ts";
import type { Bucket, S3Settings } from "./s3-bucket.ts";
import { refuse } from "../http/refuse.ts";

/** A file store in a bucket. */
export function createS3Store(settings: S3Settings, temporaryFolder: string): FileStore {
  const bucket = openBucket(settings);
  const { downloadEndpoint: endpoint } = settings;

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
  const put: FileStore["put"] = async (area, iid, source, expected) => {
    if (expected && !(source instanceof Uint8Array)) {
      const key = fileKey(area, iid, expected.sha256);
      if ((await bucket.size(key)) !== expected.bytes) await bucket.sendStream(key, verifyContent(source, expected));
      return expected;
    }
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
  const directUrl: NonNullable<FileStore["directUrl"]> = ({ area, iid, sha256 }, how) =>
    presignDownload(settings, { ...how, key: fileKey(area, iid, sha256) }, endpoint);
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
    ...(endpoint !== undefined && { directUrl }),
    remove: (area, iid, sha256) => bucket.remove(fileKey(area, iid, sha256)),
    quarantine: async (area, iid, sha256) => {
      const key = fileKey(area, iid, sha256);
      await bucket.copy(key, `damaged/${key}`);
      await bucket.remove(key);
    },
    probe: () => probe(bucket),
    list: async function* (before) {
      for (const one of storageAreas)
        for await (const objects of bucket.list(`${one}/`))
          yield objects
            .filter(({ modified }) => modified < before)
            .map(({ key }) => parseFileKey(key))
            .filter((name) => name !== null);
    },
    removeStale: () => removeStaleFiles(temporaryFolder),
    storeId: async (write) => {
      if (write !== undefined) await bucket.write("storage.id", write);
      return bucket.text("storage.id");
    },
  };
}

/** Passes the chunks on; throws at the end, before an object exists, if they are not the expected content. */
async function* verifyContent(source: Readable, expected: StoredFileInfo): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of source) {
    hash.update(chunk as Uint8Array);
    bytes += (chunk as Uint8Array).length;
    yield chunk as Uint8Array;
  }
  requireSameContent({ sha256: hash.digest("hex"), bytes }, expected);
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

async function probe(bucket: Bucket): Promise<void> {
  await bucket.write("probe", "arcada");
  if ((await bucket.text("probe")) !== "arcada")
    throw new Error("the file store gives back other bytes than were written");
  await bucket.remove("probe");
}
