/** A surface that is drawn with a volume: x y z and normals for each vertex in mm, and sRGB bytes if it has colours. */
export class SceneMesh {
  private static createdCount = 0;
  readonly id = ++SceneMesh.createdCount;
  readonly positions: Float32Array<ArrayBuffer>;
  readonly normals: Float32Array<ArrayBuffer>;
  readonly indices: Uint32Array<ArrayBuffer>;
  readonly colours: Uint8Array<ArrayBuffer> | null;

  constructor(surface: Pick<SceneMesh, "positions" | "normals" | "indices" | "colours">) {
    this.positions = surface.positions;
    this.normals = surface.normals;
    this.indices = surface.indices;
    this.colours = surface.colours;
  }

  /** Shown content is compared as text. A surface never changes, so its number identifies it. */
  toJSON(): number {
    return this.id;
  }
}
