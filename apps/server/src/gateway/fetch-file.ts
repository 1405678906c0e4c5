import { createWriteStream } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { removeFile } from "../platform/storage/durable-writes.ts";
import { CloudRefused, type OpenDownload } from "./cloud-connection.ts";

/**
 * Fetches a file of Arcada. What arrived before the connection broke, or before this program ended, is not fetched again
 * as long as Arcada says that the file is the same.
 * @param path on Arcada, as Arcada answered it
 * @throws if the file is longer than `maxBytes`, which removes what came
 */
export async function fetchFile(download: OpenDownload, path: string, target: string, maxBytes: number): Promise<void> {
  // The key is sent only to the address in the configuration.
  if (!path.startsWith("/") || path.startsWith("//")) throw new Error("Arcada answers no path");
  const tagFile = `${target}.tag`;
  const tag = await readFile(tagFile, "utf8").catch(() => "");
  const came =
    tag === ""
      ? 0
      : await stat(target).then(
          ({ size }) => size,
          () => 0,
        );
  const answer = await download(path, came > 0 ? { from: came, tag } : undefined).catch(async (error: unknown) => {
    // Nothing lies behind what came: it was whole, or is another file. The next attempt begins anew.
    if (error instanceof CloudRefused && error.status === 416)
      for (const file of [tagFile, target]) await removeFile(file);
    throw error;
  });
  const begin = answer.statusCode === 206 ? came : 0;
  if (begin === 0) await noteTag(tagFile, answer.headers.etag);
  let bytes = begin;
  const limit = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(new TooLong());
      else done(null, chunk);
    },
  });
  try {
    await pipeline(
      answer,
      limit,
      createWriteStream(target, { flags: begin > 0 ? "a" : "w", mode: 0o600, flush: true }),
    );
    await removeFile(tagFile);
  } catch (error) {
    if (error instanceof TooLong) for (const file of [target, tagFile]) await removeFile(file);
    throw error;
  }
}

class TooLong extends Error {
  override message = "Arcada sends more than it announced";
}

/** Without a strong tag nobody can say whether the rest belongs to what came. */
async function noteTag(file: string, tag: string | undefined): Promise<void> {
  if (tag === undefined || tag.startsWith("W/") || tag.length > 300) await removeFile(file);
  else await writeFile(file, tag, { mode: 0o600 });
}
