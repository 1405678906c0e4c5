import type { Readable } from "node:stream";

export interface TargetFile {
  /** The path below the root, with slashes. */
  name: string;
  bytes: number;
  modified: Date;
}

/** The folder, or the prefix in a bucket, in which backups are kept. Names are paths below it, with slashes. */
export interface BackupTarget {
  /** Names the place for people. */
  readonly label: string;
  /** The number of files to copy or to look up at the same time. */
  readonly filesAtOnce: number;
  /** Writes a file that exists either wholly or not at all. It survives a power failure once `flush` has ended. */
  write(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  flush(): Promise<void>;
  /** Throws a DamagedError if the file is missing. */
  read(name: string): Promise<Readable>;
  /** Null: there is no such file. */
  size(name: string): Promise<number | null>;
  /** Lists what lies directly below the root, folders included. */
  listTop(): Promise<string[]>;
  /** Lists the files below a folder, in batches of some hundreds. */
  list(folder: string): AsyncIterable<TargetFile[]>;
  /** Removes a file; one that is missing is no error. */
  remove(name: string): Promise<void>;
  /** Removes a folder with its content. */
  removeFolder(name: string): Promise<void>;
}

/** Returns a small file's text, without the line end; null if it is missing. */
export async function readTargetText(target: BackupTarget, name: string): Promise<string | null> {
  if ((await target.size(name)) === null) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of await target.read(name)) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString("utf8").trim();
}

/** Writes a small file; it is on the disk when this resolves. */
export async function writeTargetText(target: BackupTarget, name: string, text: string): Promise<void> {
  await target.write(name, asStream(text));
  await target.flush();
}

async function* asStream(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
