import { workerPool } from "./worker-pool.ts";
import type { WorkerPool } from "./worker-pool.ts";

/** What stands on a sheet, from top to bottom. */
export type PdfBlock =
  /** The first page by itself: dark, with the house's logo, what it is, and of whom. */
  | {
      kind: "cover";
      text: string;
      aside: string;
      rows: readonly PdfFact[];
      note: string | null;
      logo: PdfPicture | null;
    }
  | { kind: "title"; text: string; aside?: string }
  /** `before`: so many points of what follows stay on its page. */
  | { kind: "heading"; text: string; before?: number }
  /** `kept`: it stays on one page with the words and headings that follow it. */
  | { kind: "text"; text: string; muted?: true; kept?: true }
  /** Two columns of names and values. */
  | { kind: "facts"; rows: readonly PdfFact[] }
  /** One figure that is to be seen from afar, with words beside it. */
  | { kind: "figure"; figure: string; text: string }
  /** `widths` share the sheet's width; a row may have a colour at its beginning. */
  | { kind: "table"; head: readonly string[]; widths: readonly number[]; rows: readonly PdfRow[]; small?: true }
  | PdfDrawing
  /** Pictures side by side, each with its words below; `most`: the highest that one may be, in points. */
  | { kind: "images"; columns: number; most: number; images: readonly PdfImage[] }
  /** Lines to be filled in by hand. */
  | { kind: "signature"; names: readonly string[] };
/** Vectors in a box of its own, in points, centred. */
export interface PdfDrawing {
  kind: "drawing";
  width: number;
  height: number;
  shapes: readonly PdfShape[];
  under?: PdfPicture;
}
export type PdfFact = readonly [name: string, value: string];
export interface PdfRow {
  cells: readonly PdfCell[];
  colour?: string;
}
/** Words, how many standard deviations something lies beside its norm (null: it has none), or what a QR code says. */
export type PdfCell = string | { deviation: number | null } | { code: string };
/** A JPEG or PNG, with its size in pixels. */
export interface PdfPicture {
  bytes: Uint8Array;
  width: number;
  height: number;
}
export interface PdfImage extends PdfPicture {
  words: readonly string[];
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
  /** At the top of every page but a cover, so that no page of a draft passes for another; `logo`: of the house, beside it. */
  head?: { warning: string | null; logo: PdfPicture | null };
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
