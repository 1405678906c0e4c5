import type { FrameByteRange } from "@arcada/imaging/dicom/pixels/frame-byte-range";
import type { VoiWindow } from "@arcada/imaging/image/voi-window";

/** Work for a thread that opens DICOM files. */
export type DicomTask =
  /** Each file is a step of the task. */
  | { do: "read"; paths: string[] }
  | { do: "identify"; path: string }
  | { do: "frames"; path: string; frames: number[]; stored: boolean }
  /** The data set as plain values, little endian. */
  | { do: "plain"; path: string; explicit: boolean }
  | { do: "bulk"; path: string; tag: string }
  | ({ do: "picture"; path: string; frame: number } & RenderOptions);

/** Settings for a rendered image. */
export interface RenderOptions {
  format: "jpeg" | "png";
  quality: number;
  window: VoiWindow | null;
  /** The box that the image must fit; null: its own size. */
  size: { width: number; height: number } | null;
}

/** The object that a file contains. */
export interface InstanceIdentity {
  study: string;
  series: string;
  uid: string;
  sopClass: string;
  hasPixels: boolean;
  /** The object itself states a position in space, as a slice does. */
  hasPosition: boolean;
}

/** A step of reading files: what one of them contains. Null: it cannot be read. */
export type ReadStep = IndexedInstance | null;

/** Data of an instance that are kept for searches. */
export interface IndexedInstance {
  study: string;
  series: string;
  uid: string;
  sopClass: string;
  syntax: string;
  number: number | null;
  frames: number;
  frameByteRange: FrameByteRange | null;
  attributes: string;
  metadata: string;
}
export type DicomResult =
  | { did: "read" }
  | { did: "identify"; identity: InstanceIdentity }
  /** `syntax` null: plain values, explicit little endian. */
  | { did: "frames"; frames: Uint8Array[]; syntax: string | null }
  | { did: "plain"; bytes: Uint8Array }
  | { did: "bulk"; bytes: Uint8Array | null }
  | { did: "picture"; bytes: Uint8Array };
