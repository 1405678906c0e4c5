import type { EngineReason } from "@arcada/contract/analysis/engine-reasons";
import type { Abstention, EngineFaultName, EngineInfo, Observation } from "@arcada/contract/analysis/observation";
import type { ImageKind } from "@arcada/imaging/dicom/parse/image-kind";
import type { VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";

/** An image as engines see it: pixels and their description, without the patient's identity. */
export interface EngineImage {
  kind: "picture";
  shows: ImageKind;
  columns: number;
  rows: number;
  /** `[row][column]` grey values, dense matter bright. */
  samples: Float32Array;
  /** mm of the patient in a pixel; null if unknown. */
  spacing: { row: number; column: number } | null;
}

export interface EngineVolume {
  kind: "volume";
  geometry: VolumeGeometry;
  /** `[slice][row][column]` */
  values: Int16Array;
}
export type EngineInput = EngineImage | EngineVolume;

/** An observation as an engine returns it; it receives its id once it has passed the gate. */
export type NewObservation = Omit<Observation, "id">;

/** An image that an engine made, such as the panorama from a volume. */
export interface DerivedImage {
  code: string;
  columns: number;
  rows: number;
  /** `[row][column]` */
  samples: Uint16Array;
  /** mm */
  spacing: { row: number; column: number } | null;
}

export interface EngineResult {
  observations: NewObservation[];
  abstentions: Abstention[];
  artefacts: DerivedImage[];
}

export interface EngineRunContext {
  signal: AbortSignal;
  /** From 0 to 1. */
  onProgress: (fraction: number) => void;
}

/**
 * An engine that analyses images: the built-in measurement, a pack, or a remote server. A person is a fourth source of
 * observations.
 */
export interface AnalysisEngine {
  readonly info: EngineInfo;
  /** @throws EngineFault */
  analyse(input: EngineInput, context: EngineRunContext): Promise<EngineResult>;
}

/** `detail` is for the server's log alone; `reason`, if set, is reported to callers. */
export class EngineFault extends Error {
  override name = "EngineFault";
  readonly fault: EngineFaultName;
  readonly reason: EngineReason | null;
  constructor(fault: EngineFaultName, detail: string, reason: EngineReason | null = null) {
    super(detail);
    this.fault = fault;
    this.reason = reason;
  }
}
