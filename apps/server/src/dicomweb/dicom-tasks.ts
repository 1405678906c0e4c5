import type { FramePlace } from "@arcada/imaging/dicom/frame-place";
import type { Window } from "@arcada/imaging/picture/window";

/** Work for a thread that opens DICOM files. */
export type DicomTask =
  | { do: "read"; path: string }
  | { do: "identify"; path: string }
  | { do: "frames"; path: string; frames: number[]; stored: boolean }
  | { do: "bulk"; path: string; tag: string }
  | ({ do: "picture"; path: string; frame: number } & Look);

/** Settings for a rendered image. */
export interface Look {
  format: "jpeg" | "png";
  quality: number;
  window: Window | null;
  /** The box that the image must fit; null: its own size. */
  size: { width: number; height: number } | null;
}

/** The object that a file contains. */
export interface Identity {
  study: string;
  series: string;
  uid: string;
  sopClass: string;
  hasPixels: boolean;
}

/** Data of an instance that are kept for searches. */
export interface ReadInstance {
  study: string;
  series: string;
  uid: string;
  sopClass: string;
  syntax: string;
  number: number | null;
  frames: number;
  place: FramePlace | null;
  attributes: string;
  metadata: string;
}
export type DicomResult =
  | { did: "read"; instance: ReadInstance }
  | { did: "identify"; identity: Identity }
  /** `syntax` null: plain values, explicit little endian. */
  | { did: "frames"; frames: Uint8Array[]; syntax: string | null }
  | { did: "bulk"; bytes: Uint8Array | null }
  | { did: "picture"; bytes: Uint8Array };
