import { frameOf, type Frame } from "@arcada/imaging/mesh/frame";
import { MeshError, type MeshFault } from "@arcada/imaging/mesh/mesh-error";
import { boundsOf, triangleCount, weld, type Bounds, type Mesh } from "@arcada/imaging/mesh/mesh";
import { readMesh, type MeshKind } from "@arcada/imaging/mesh/read";
import { BufferAttribute, BufferGeometry } from "three";
import { MeshBVH, type SerializedBVH } from "three-mesh-bvh";
import { FetchFault, fetchBytes } from "../frame/fetch-bytes.ts";
import { linearColours } from "./linear-colours.ts";

export interface MeshJob {
  url: string;
  kind: MeshKind;
}

/** A surface that is ready for the graphics processor, and for finding the point under the pointer. */
export interface ReadyMesh {
  positions: Float32Array;
  indices: Uint32Array;
  normals: Float32Array;
  /** 16-bit linear red, green, blue. */
  colours: Uint16Array | null;
  bvh: SerializedBVH;
  bounds: Bounds;
  frame: Frame;
  triangles: number;
}

export type MeshAnswer = { came: number } | { mesh: ReadyMesh } | { fault: MeshFault | FetchFault["reason"] };

self.addEventListener("message", ({ data }: MessageEvent<MeshJob>) => void answer(data));

async function answer({ url, kind }: MeshJob): Promise<void> {
  try {
    const bytes = await fetchBytes(url, new AbortController().signal, (came) => tell({ came }));
    const mesh = ready(readMesh(bytes, kind));
    const { positions, indices, normals, colours, bvh } = mesh;
    const parts = [positions, indices, normals, ...(colours ? [colours] : [])].map((array) => array.buffer);
    tell({ mesh }, [...new Set([...parts, ...bvh.roots])] as Transferable[]);
  } catch (error) {
    tell({ fault: error instanceof MeshError || error instanceof FetchFault ? error.reason : "damaged" });
  }
}

const tell = (answered: MeshAnswer, transfer: Transferable[] = []): void => self.postMessage(answered, { transfer });

function ready(read: Mesh): ReadyMesh {
  // STL repeats each corner: joined, the surface is smooth and takes a sixth of the memory.
  const mesh = read.indices ? read : weld(read);
  const indices = mesh.indices ?? new Uint32Array();
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(mesh.positions, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  // Building the tree reorders the triangles, so it comes before everything that is sent.
  const bvh = MeshBVH.serialize(new MeshBVH(geometry), { cloneBuffers: false });
  geometry.computeVertexNormals();
  return {
    positions: mesh.positions,
    indices,
    normals: geometry.getAttribute("normal").array as Float32Array,
    colours: mesh.colours && linearColours(mesh.colours),
    bvh,
    bounds: boundsOf(mesh),
    frame: frameOf(mesh),
    triangles: triangleCount(mesh),
  };
}
