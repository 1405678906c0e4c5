import type { EngineReason } from "@arcada/contract/analysis/engine-reasons";
import type { Abstention, EngineFaultName, EngineInfo, Observation } from "@arcada/contract/analysis/observation";
import type { ImageKind } from "@arcada/imaging/dicom/kind";
import type { VolumeGeometry } from "@arcada/imaging/view/volume-geometry";

/** A picture as engines see it: pixels and what they are, and nothing of whose they are. */
export interface EnginePicture {
  kind: "picture";
  shows: ImageKind;
  columns: number;
  rows: number;
  /** `[row][column]` grey values, dense matter bright. */
  samples: Float32Array;
  /** mm of the patient in a pixel; null where nothing says so. */
  spacing: { row: number; column: number } | null;
}

export interface EngineVolume {
  kind: "volume";
  geometry: VolumeGeometry;
  /** `[slice][row][column]` */
  values: Int16Array;
}
export type EngineInput = EnginePicture | EngineVolume;

/** An observation as an engine gives it; it gets its id when it has passed the gate. */
export type Seen = Omit<Observation, "id">;

/** A picture that an engine made, such as the panorama out of a volume. */
export interface Artefact {
  code: string;
  columns: number;
  rows: number;
  /** `[row][column]` */
  samples: Uint16Array;
  /** mm */
  spacing: { row: number; column: number } | null;
}

export interface Analysed {
  observations: Seen[];
  abstentions: Abstention[];
  artefacts: Artefact[];
}

export interface EngineWork {
  signal: AbortSignal;
  /** From 0 to 1. */
  onProgress: (share: number) => void;
}

/** What looks at pictures: the measurement that is built in, a pack, a remote server. A person is a fourth source of observations. */
export interface AnalysisEngine {
  readonly info: EngineInfo;
  /** @throws EngineFault */
  analyse(input: EngineInput, work: EngineWork): Promise<Analysed>;
}

/** `detail` is for the server's log alone; `reason`, where there is one, is what callers are told. */
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
