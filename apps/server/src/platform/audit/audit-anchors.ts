import { appendFile, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { isEqual } from "./audit-key.ts";
import type { AuditKey, ChainHead } from "./audit-key.ts";
import { writeDurably } from "../storage/durable-writes.ts";

/** A signed head at an instant. */
export interface Anchor extends ChainHead {
  at: string;
  key: string;
  /** The operator's reason for accepting a contradiction. Anchors before this line are no longer compared. */
  accepted?: string | undefined;
  mac: string;
}
const anchorShape = z.object({
  rows: z.int().nonnegative(),
  hash: z.string(),
  at: z.string(),
  key: z.string(),
  accepted: z.string().optional(),
  mac: z.string(),
});

const signAnchor = (key: AuditKey, { rows, hash, at, accepted }: Omit<Anchor, "mac" | "key">): string =>
  key.sign("anchor", [key.id, rows, hash, at, accepted ?? null]);

export function createAnchor(key: AuditKey, head: ChainHead, at: string, accepted?: string): Anchor {
  const anchor = { rows: head.rows, hash: head.hash, at, ...(accepted !== undefined && { accepted }) };
  return { ...anchor, key: key.id, mac: signAnchor(key, anchor) };
}
export const isGenuine = (key: AuditKey, anchor: Anchor): boolean =>
  anchor.key === key.id && isEqual(signAnchor(key, anchor), anchor.mac);

/** These are the anchors of the file that count: those after the last acceptance, in the order of writing. */
interface KnownAnchors {
  anchors: Anchor[];
  /** The number of lines that were not written with the key. */
  forged: number;
  /** True if any of those lines was written under another key. */
  isOtherKey: boolean;
}

export const anchorFileName = "audit-anchors.jsonl";
const maxBytes = 512 * 1024;
const maxLines = 1000;

/**
 * Heads of the audit log in a file of DATA_DIR, one line of JSON each. A line is on the disk when `append` resolves. A
 * file that has grown large keeps its newest lines: the newest alone covers all rows before it.
 */
export class AnchorFile {
  readonly path: string;
  readonly #key: AuditKey;
  #read: { stamp: string; known: KnownAnchors } | null = null;
  constructor(folder: string, key: AuditKey) {
    this.path = path.join(folder, anchorFileName);
    this.#key = key;
  }

  /** Reads the file again only if another process, or someone else, has changed it. */
  async known(): Promise<KnownAnchors> {
    const found = await stat(this.path).catch(() => null);
    const stamp = found ? `${found.ino} ${found.size} ${found.mtimeMs}` : "none";
    if (this.#read?.stamp !== stamp)
      this.#read = { stamp, known: countAnchors(this.#key, splitLines(await this.#text())) };
    return this.#read.known;
  }

  async append(anchor: Anchor): Promise<void> {
    const text = await this.#text();
    // Text after the last line end was cut off by a crash.
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    const line = `${JSON.stringify(anchor)}\n`;
    const isAppended = text !== "" && whole === text && text.length + line.length <= maxBytes;
    if (isAppended) return appendFile(this.path, line, { flush: true });
    const kept = splitLines(whole).slice(1 - maxLines);
    await writeDurably(this.path, [...kept, line].join("\n"), { mode: 0o600 });
  }

  async #text(): Promise<string> {
    return readFile(this.path, "utf8").catch((error: { code?: string }) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
  }
}

const splitLines = (text: string): string[] => text.split("\n").slice(0, -1);

function countAnchors(key: AuditKey, lines: readonly string[]): KnownAnchors {
  const read = lines.map((line) => {
    const anchor = parse(line);
    return { anchor, isReal: anchor !== null && isGenuine(key, anchor) };
  });
  const last = read.findLastIndex(({ anchor, isReal: isValid }) => isValid && anchor?.accepted !== undefined);
  const counted = read.slice(Math.max(0, last));
  const forged = counted.filter(({ isReal: isValid }) => !isValid);
  return {
    anchors: counted.flatMap(({ anchor, isReal: isValid }) => (anchor && isValid ? [anchor] : [])),
    forged: forged.length,
    isOtherKey: forged.some(({ anchor }) => anchor !== null && anchor.key !== key.id),
  };
}

function parse(line: string): Anchor | null {
  try {
    return anchorShape.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
