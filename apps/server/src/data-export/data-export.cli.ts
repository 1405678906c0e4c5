import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { Config } from "../platform/runtime/config.ts";
import { StartError } from "../platform/runtime/config.ts";
import type { Database } from "../platform/database/database.ts";
import { syncFile } from "../platform/storage/durable-writes.ts";
import { openFileStore } from "../platform/storage/open-file-store.ts";
import { Refused } from "../platform/http/refuse.ts";
import { translate } from "../platform/text/texts.ts";
import { withImportArchive } from "./archive-reader.ts";
import { writeArchive } from "./archive-writer.ts";
import { checkArchive } from "./import-check.ts";
import { importArchive } from "./import-archive.ts";

const noProgress = async (): Promise<void> => {};

/** `institution export NUMBER FILE`: the file is written whole or not at all. */
export function exportToFile(database: Database, [number, file]: string[], config: Config): Promise<number> {
  return printResult(async () => {
    if (!number || !file) throw new StartError("Wanted: institution export NUMBER FILE");
    const found = await database.asSystem((db) =>
      db
        .selectFrom("institution")
        .select("id")
        .where("number", "=", number)
        .where("stub", "=", false)
        .executeTakeFirst(),
    );
    if (!found) throw new Refused("institutionUnknown", null, false);
    const files = await openFileStore(config, database);
    const partialFile = `${file}.part`;
    try {
      await writeArchive({ database, files, iid: found.id, language: "en", onProgress: noProgress }, (stream) =>
        pipeline(stream, createWriteStream(partialFile, { mode: 0o600 })),
      );
      await syncFile(partialFile);
      await rename(partialFile, file);
    } finally {
      await rm(partialFile, { force: true });
    }
    return `Exported to ${file}.`;
  });
}

/** `institution import FILE`: checked from end to end first. */
export function importFromFile(database: Database, [file]: string[], config: Config): Promise<number> {
  return printResult(async () => {
    if (!file) throw new StartError("Wanted: institution import FILE");
    const files = await openFileStore(config, database);
    return withImportArchive(file, async (archive) => {
      const found = await checkArchive(database, archive, noProgress);
      await importArchive({ database, files, archive, by: null, onProgress: noProgress });
      return `Imported ${found.institution.name} (${found.institution.number}): ${found.tables["patient"] ?? 0} patients, ${found.tables["orders"] ?? 0} orders, ${found.files} files.`;
    });
  });
}

async function printResult(work: () => Promise<string>): Promise<number> {
  try {
    process.stdout.write(`${await work()}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    process.stderr.write(`${translate("en", "refusals", error.refusal)} (${refusals[error.refusal].code})\n`);
    return 1;
  }
}
