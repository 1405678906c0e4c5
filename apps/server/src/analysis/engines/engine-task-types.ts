import type { Abstention, EngineFaultName, Observation } from "@arcada/contract/analysis/observation";
import type { ImageKind } from "@arcada/imaging/dicom/parse/image-kind";
import type { VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";
import type { AllowedServers } from "../remote/remote-request.ts";

/** A path; within a sandbox the number of a file that was opened for it. */
export type FileReference = string | number;

/** The engine to run: the built-in measurement, a pack by its archive, or a remote server. */
export type EngineChoice =
  | { kind: "measurement" }
  | { kind: "pack"; path: FileReference; trust: PackTrust; expected?: ExpectedPack }
  | { kind: "remote"; server: RemoteServer; reach: AllowedServers };

/** The pack that was chosen: a file that holds another one now is not run. Absent in trials, which name a file. */
export interface ExpectedPack {
  id: string;
  version: string;
  /** The SHA-256 of its model. */
  sha256: string | null;
}

/** These settings decide whose packs may run. */
export interface PackTrust {
  /** `name=base64` each: raw public Ed25519 keys. */
  keys: readonly string[];
  /** True if unsigned packs may run as well. */
  unsigned: boolean;
}

/** A server that speaks the Open Inference Protocol, version 2, and the model that is used there. */
export interface RemoteServer {
  /** Such as https://models.clinic.test:8000. */
  address: string;
  model: string;
  modelVersion: string | null;
  /** The token is sent as `authorization: Bearer …`. */
  token: string | null;
  /**
   * The text of a manifest as in a pack, without `sha256` and `card`: it describes how pixels become the model's input,
   * and its output observations.
   */
  manifest: string;
  card: string;
}

/** A stored image (the source file, its first frame), or a volume in the form that viewers receive. */
export type EngineSource =
  /** `spacing`: mm of the patient per pixel, as in `instance.picture`. */
  | {
      kind: "picture";
      path: FileReference;
      format: "dicom" | "jpeg" | "png";
      shows: ImageKind;
      spacing: PixelSpacing | null;
    }
  /** `groups`: files of its slices as `volume-files` packed them; else `path` holds its values, 16 bits each. */
  | { kind: "volume"; geometry: VolumeGeometry; path: FileReference; groups: null }
  | { kind: "volume"; geometry: VolumeGeometry; path: null; groups: readonly FileReference[] };

interface PixelSpacing {
  row: number;
  column: number;
}

export interface EngineTask {
  engine: EngineChoice;
  source: EngineSource;
  /** The folder into which artefacts are written; it exists. */
  out: string;
}

/** A file in `out`. */
export interface ArtefactFile {
  code: string;
  path: string;
  type: "image/png";
  columns: number;
  rows: number;
  spacing: PixelSpacing | null;
}

export type EngineOutcome =
  | {
      state: "done";
      observations: Observation[];
      abstentions: Abstention[];
      artefacts: ArtefactFile[];
      milliseconds: number;
    }
  /**
   * None of the results count, and the run costs nothing. `detail` is for the log, and for a user who tries a pack at
   * the command line.
   */
  | { state: "failed"; fault: EngineFaultName; detail: string };
