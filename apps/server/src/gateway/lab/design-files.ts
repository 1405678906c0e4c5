import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { labAgentRules } from "@arcada/contract/order/lab-agent.rules";
import { checkFile } from "../watch/folder-files.ts";

/** A file of a design in a case's folder. */
export interface DesignFile {
  name: string;
  path: string;
  bytes: number;
  sha256: string;
}
/** The design that lies in a folder, known by the names and contents of its files. */
export interface FoundDesign {
  key: string;
  files: DesignFile[];
}

interface Look {
  bytes: number;
  modifiedAt: number;
  since: number;
  sha256?: string;
}

/** exocad's designed parts, and the file that says what they are; previews are pictures of unfinished work. */
const isMesh = (name: string): boolean => /_cad\.(stl|ply|obj|3mf)$/i.test(name);
const isDesignFile = (name: string): boolean =>
  (isMesh(name) || /\.constructionInfo$/i.test(name)) && !/preview/i.test(name);

/** Finds designs in folders of cases. It remembers each file's last look, because exocad writes for minutes. */
export class DesignFinder {
  readonly #settleMs: number;
  readonly #looks = new Map<string, Look>();
  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  /**
   * Returns the design in a folder; null while there is none, or one of its files still changes. Files of the order
   * itself lie in folders below, which are not looked into.
   * @throws ENOENT if the folder is gone
   */
  async find(folder: string): Promise<FoundDesign | null> {
    const names = (await readdir(folder)).filter(isDesignFile).toSorted();
    if (!names.some(isMesh) || names.length > labAgentRules.maxDesignFiles) return null;
    const files: DesignFile[] = [];
    for (const name of names) {
      const file = await this.#settledFile(path.join(folder, name), name);
      if (!file) return null;
      files.push(file);
    }
    const key = createHash("sha256").update(JSON.stringify(files.map(({ name, sha256 }) => [name, sha256])));
    return { key: key.digest("hex"), files };
  }

  /** Returns whether the files are still as they were found. */
  async areUnchanged(files: readonly DesignFile[]): Promise<boolean> {
    for (const file of files) {
      const look = this.#looks.get(file.path);
      const now = await stat(file.path).catch(() => null);
      if (!look || now?.size !== look.bytes || now.mtimeMs !== look.modifiedAt) return false;
    }
    return true;
  }

  async #settledFile(at: string, name: string): Promise<DesignFile | null> {
    const now = await stat(at).catch(() => null);
    if (!now?.isFile()) return null;
    let look = this.#looks.get(at);
    if (look?.bytes !== now.size || look.modifiedAt !== now.mtimeMs) {
      look = { bytes: now.size, modifiedAt: now.mtimeMs, since: Date.now() };
      this.#looks.set(at, look);
    }
    if (Date.now() - look.since < this.#settleMs || look.bytes === 0) return null;
    if (isMesh(name) && (await checkFile(at, look.bytes)) !== "sendable") return null;
    look.sha256 ??= await hashFile(at);
    return { name, path: at, bytes: look.bytes, sha256: look.sha256 };
  }
}

async function hashFile(at: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(at), hash);
  return hash.digest("hex");
}
