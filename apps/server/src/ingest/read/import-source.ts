import { open } from "node:fs/promises";
import type { PhotoView } from "@arcada/contract/study/mount-layouts";
import { detectFileKind, type FileKind } from "@arcada/imaging/file-kind";
import { files } from "../../platform/runtime/services.ts";
import { headBytes } from "../archive/unzip.ts";

/** A file that is being imported: an upload, which the store has already, or a file out of an archive. */
export interface ImportSource {
  name: string;
  /** The name of the upload from which it came: that of the archive, or its own. */
  uploadName: string;
  bytes: number;
  /** The view of a photograph of a photo series. */
  photoView?: PhotoView;
  at: { sha256: string } | { path: string };
}

/** Passes a local path of the file to `work`. */
export const withLocalPath = <T>(iid: string, { at }: ImportSource, work: (path: string) => Promise<T>): Promise<T> =>
  "path" in at ? work(at.path) : files().local("originals", iid, at.sha256, work);

/** Recognises the kind of a file by its first bytes. */
export const recogniseSource = (iid: string, source: ImportSource): Promise<FileKind> =>
  withLocalPath(iid, source, async (path) => {
    const handle = await open(path);
    try {
      const head = Buffer.alloc(Math.min(headBytes, source.bytes));
      const { bytesRead } = await handle.read(head, 0, head.length, 0);
      return detectFileKind(head.subarray(0, bytesRead), source.name, source.bytes);
    } finally {
      await handle.close();
    }
  });
