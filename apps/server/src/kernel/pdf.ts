import { workerPool } from "./worker-pool.ts";
import type { WorkerPool } from "./worker-pool.ts";

/** What stands on a sheet, from top to bottom. */
export type PdfBlock =
  | { kind: "title"; text: string; aside?: string }
  | { kind: "heading"; text: string }
  | { kind: "text"; text: string; muted?: true }
  /** Two columns of names and values. */
  | { kind: "facts"; rows: readonly (readonly [name: string, value: string])[] }
  /** `widths` share the sheet's width; a row may have a colour at its beginning. */
  | { kind: "table"; head: readonly string[]; widths: readonly number[]; rows: readonly PdfRow[]; small?: true }
  /** Vectors in a box of its own, in points, centred. */
  | { kind: "drawing"; width: number; height: number; shapes: readonly PdfShape[] }
  /** Lines to be filled in by hand. */
  | { kind: "signature"; names: readonly string[] };
export interface PdfRow {
  cells: readonly string[];
  colour?: string;
}
export type PdfShape =
  | { path: string; x?: number; y?: number; fill?: string; stroke?: string; line?: number; dash?: number }
  | { text: string; x: number; y: number; size: number; colour?: string };

/** A paper in A4 with real text: what it says is data, how it looks is decided here alone. */
export interface PdfDocument {
  language: string;
  title: string;
  author: string;
  /** At the foot of every page, before its number. */
  foot: string;
  /** "{page} / {pages}", in the paper's language. */
  pageOf: string;
  blocks: readonly PdfBlock[];
}

// One paper takes 0.2 to 0.5 s, most of it to read the Chinese font; waiting is cheaper than a second copy of it.
const threads = 1;
const timeoutMs = 20_000;

let pool: WorkerPool<PdfDocument, Uint8Array> | undefined;

/** Sets a paper, apart from this thread. */
export async function makePdf(paper: PdfDocument): Promise<Uint8Array> {
  pool ??= workerPool(new URL("pdf.worker.ts", import.meta.url), threads, { maxOldGenerationSizeMb: 512 });
  const answer = await pool.run(paper, { timeoutMs });
  if ("refusal" in answer) throw new Error(`the paper "${paper.title}" could not be set: ${answer.refusal}`);
  return answer.value;
}
