import { workerPool } from "../runtime/worker-pool.ts";
import type { WorkerPool } from "../runtime/worker-pool.ts";

/** A block of a document. The blocks are laid out from top to bottom. */
export type PdfBlock =
  /**
   * The head of the first page: a dark band with the institution's logo, the kind of document, and whom it concerns.
   * Only the first block of a document can be one.
   */
  | {
      kind: "banner";
      text: string;
      aside: string;
      rows: readonly PdfFact[];
      note: string | null;
      logo: PdfBitmap | null;
    }
  /** A number of 100 as an arc, with what it rests on beside it; `score` null: the arc is empty. */
  | { kind: "dial"; score: number | null; below: string; heading: string; lines: readonly string[] }
  /** Colours and what they mean, in two columns. */
  | { kind: "legend"; items: readonly { colour: string; text: string }[] }
  /** Problems, each with its picture or drawing, and what is to be done. */
  | { kind: "cases"; cases: readonly PdfCase[] }
  /** Numbered lines. */
  | { kind: "steps"; items: readonly string[] }
  | { kind: "title"; text: string; aside?: string }
  /** `before`: this many points of the following blocks stay on its page. */
  | { kind: "heading"; text: string; before?: number }
  /** `kept`: it stays on one page with the words and headings that follow it. */
  | { kind: "text"; text: string; muted?: true; kept?: true }
  /** Two columns of names and values. */
  | { kind: "facts"; rows: readonly PdfFact[] }
  /** One number that is readable from afar, with text beside it. */
  | { kind: "figure"; figure: string; text: string }
  /** `widths` share the sheet's width; a row may begin with a colour. */
  | { kind: "table"; head: readonly string[]; widths: readonly number[]; rows: readonly PdfRow[]; small?: true }
  | PdfDrawing
  /** Images side by side, each with its caption below; `most`: the maximum height of one, in points. */
  | { kind: "images"; columns: number; maxHeight: number; images: readonly PdfImage[] }
  /** Lines to be filled in by hand. */
  | { kind: "signature"; names: readonly string[] };
/** Vectors in a centred box, in points. */
export interface PdfDrawing {
  kind: "drawing";
  width: number;
  height: number;
  shapes: readonly PdfShape[];
  under?: PdfBitmap;
}
export interface PdfCase {
  picture: PdfBitmap | Pick<PdfDrawing, "width" | "height" | "shapes"> | null;
  title: string;
  text: string;
  /** Null where nothing was written. */
  plan: { label: string; text: string } | null;
}
export type PdfFact = readonly [name: string, value: string];
export interface PdfRow {
  cells: readonly PdfCell[];
  colour?: string;
}
/** Text, the number of standard deviations from the norm (null: there is no norm), or the content of a QR code. */
export type PdfCell = string | { deviation: number | null } | { code: string };
/** A JPEG or PNG, with its size in pixels. */
export interface PdfBitmap {
  bytes: Uint8Array;
  width: number;
  height: number;
}
export interface PdfImage extends PdfBitmap {
  captions: readonly string[];
}
export type PdfShape =
  | { path: string; x?: number; y?: number; fill?: string; stroke?: string; line?: number; dash?: number }
  | { text: string; x: number; y: number; size: number; colour?: string };

/** A document in A4 with real text: its content is data, its appearance is decided only here. */
export interface PdfDocument {
  language: string;
  title: string;
  author: string;
  /** The text at the foot of every page, before the page number. */
  footer: string;
  /**
   * The head of every page except one with a banner, so that no page of a draft passes for a final one; `logo`: the
   * institution's, next to it.
   */
  head?: { warning: string | null; logo: PdfBitmap | null };
  /** "{page} / {pages}", in the document's language. */
  pageOf: string;
  blocks: readonly PdfBlock[];
}

// One document needs 0.2 to 0.5 s, most of it to read the Chinese font; waiting is cheaper than a second copy of the
// font.
const threads = 1;
const timeoutMs = 20_000;

let pool: WorkerPool<PdfDocument, Uint8Array> | undefined;

/** Renders a document outside this thread. */
export async function renderPdf(document: PdfDocument): Promise<Uint8Array> {
  pool ??= workerPool(new URL("pdf.worker.ts", import.meta.url), threads, { maxOldGenerationSizeMb: 512 });
  const result = await pool.run(document, { timeoutMs });
  if ("refusal" in result) throw new Error(`the paper "${document.title}" could not be set: ${result.refusal}`);
  return result.value;
}
