export type MeshFault =
  | "empty"
  | "truncated"
  | "notMesh"
  | "noTriangles"
  | "badNumbers"
  | "unsupportedExtension"
  | "tooLarge";

/** A surface file that cannot be read, and why. */
export class MeshError extends Error {
  readonly reason: MeshFault;

  constructor(reason: MeshFault) {
    super(`mesh: ${reason}`);
    this.name = "MeshError";
    this.reason = reason;
  }
}
