import { readGlb, type GlbMesh } from "@arcada/imaging/mesh/glb-read";
import { linearColours } from "@arcada/imaging/mesh/linear-colours";
import { MeshError, type MeshFault } from "@arcada/imaging/mesh/mesh-error";
import { boundsOf, triangleCount, weld, type Bounds, type Mesh } from "@arcada/imaging/mesh/mesh";
import { readMesh, type MeshKind } from "@arcada/imaging/mesh/read";
import { scanShapeOf, type ScanShape } from "@arcada/imaging/orientation/scan-shape";
import { BufferAttribute, BufferGeometry } from "three";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";
import { MeshBVH, type SerializedBVH } from "three-mesh-bvh";
import { FetchFault, fetchBytes } from "../frame/fetch-bytes.ts";

export interface MeshJob {
  /** The streaming copy, which is tried first. */
  glb: string | null;
  url: string;
  kind: MeshKind;
}

/** A surface that is ready for the graphics processor. */
export interface ReadyMesh {
  positions: Float32Array;
  indices: Uint32Array;
  normals: Float32Array;
  /** 16-bit linear red, green, blue. */
  colours: Uint16Array | null;
  bounds: Bounds;
  /** The shape from which the orientation of the scan is detected; null if it cannot be determined. */
  shape: ScanShape | null;
  triangles: number;
  /** True if the streaming copy is shown. */
  isLight: boolean;
}

/** The search structure of a surface: a tree, and the triangles in the order that the tree needs. */
export interface MeshTree {
  bvh: SerializedBVH;
  indices: Uint32Array;
}

/** A surface is shown before its tree is built: for a million triangles that takes a second more. */
export type MeshAnswer =
  | { came: number }
  | { mesh: ReadyMesh }
  | { tree: MeshTree }
  | { fault: MeshFault | FetchFault["reason"] };

self.addEventListener("message", ({ data }: MessageEvent<MeshJob>) => void answer(data));

async function answer(job: MeshJob): Promise<void> {
  try {
    const mesh = await bring(job);
    // Copied, not transferred: the tree is built from the same arrays.
    tell({ mesh });
    const tree = grown(mesh);
    tell({ tree }, [tree.indices.buffer, ...tree.bvh.roots]);
  } catch (error) {
    tell({ fault: error instanceof MeshError || error instanceof FetchFault ? error.reason : "damaged" });
  }
}

async function bring({ glb, url, kind }: MeshJob): Promise<ReadyMesh> {
  if (glb !== null) {
    try {
      const bytes = await brought(glb);
      await MeshoptDecoder.ready;
      return ready(readGlb(bytes, MeshoptDecoder), true);
    } catch (error) {
      // A streaming copy that is gone or damaged is replaced by the source file; a lost connection is not.
      if (error instanceof FetchFault && error.reason === "network") throw error;
    }
  }
  return ready(shown(readMesh(await brought(url), kind)), false);
}

const brought = (url: string) => fetchBytes(url, new AbortController().signal, (came) => tell({ came }));

const tell = (answered: MeshAnswer, transfer: ArrayBufferLike[] = []): void =>
  self.postMessage(answered, { transfer: transfer as Transferable[] });

// Files repeat a corner for each of its triangles: welded, the surface is smooth and closed and takes a sixth of the
// memory.
function shown(read: Mesh): GlbMesh {
  const { positions, indices, colours } = weld(read);
  return { positions, indices: indices ?? new Uint32Array(), colours: colours && linearColours(colours) };
}

function ready(mesh: GlbMesh, isLight: boolean): ReadyMesh {
  const geometry = geometryOf(mesh);
  geometry.computeVertexNormals();
  const plain: Mesh = { ...mesh, colours: null };
  return {
    ...mesh,
    normals: geometry.getAttribute("normal").array as Float32Array,
    bounds: boundsOf(plain),
    shape: scanShapeOf(plain),
    triangles: triangleCount(plain),
    isLight,
  };
}

function grown({ positions, indices }: ReadyMesh): MeshTree {
  const bvh = MeshBVH.serialize(new MeshBVH(geometryOf({ positions, indices })), { cloneBuffers: false });
  return { bvh, indices };
}

function geometryOf({ positions, indices }: Pick<GlbMesh, "positions" | "indices">): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  return geometry;
}
