import { frameOf, type Frame } from "@arcada/imaging/mesh/frame";
import { readGlb, type GlbMesh } from "@arcada/imaging/mesh/glb-read";
import { linearColours } from "@arcada/imaging/mesh/linear-colours";
import { MeshError, type MeshFault } from "@arcada/imaging/mesh/mesh-error";
import { boundsOf, triangleCount, weld, type Bounds, type Mesh } from "@arcada/imaging/mesh/mesh";
import { readMesh, type MeshKind } from "@arcada/imaging/mesh/read";
import { BufferAttribute, BufferGeometry } from "three";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";
import { MeshBVH, type SerializedBVH } from "three-mesh-bvh";
import { FetchFault, fetchBytes } from "../frame/fetch-bytes.ts";

export interface MeshJob {
  /** The light copy, which is tried first. */
  glb: string | null;
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
  /** The light copy is what is shown. */
  isLight: boolean;
}

export type MeshAnswer = { came: number } | { mesh: ReadyMesh } | { fault: MeshFault | FetchFault["reason"] };

self.addEventListener("message", ({ data }: MessageEvent<MeshJob>) => void answer(data));

async function answer(job: MeshJob): Promise<void> {
  try {
    const mesh = await bring(job);
    const { positions, indices, normals, colours, bvh } = mesh;
    const parts = [positions, indices, normals, ...(colours ? [colours] : [])].map((array) => array.buffer);
    tell({ mesh }, [...new Set([...parts, ...bvh.roots])] as Transferable[]);
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
      // A light copy that is gone or damaged is made good by the original; a line that is down is not.
      if (error instanceof FetchFault && error.reason === "network") throw error;
    }
  }
  return ready(shown(readMesh(await brought(url), kind)), false);
}

const brought = (url: string) => fetchBytes(url, new AbortController().signal, (came) => tell({ came }));

const tell = (answered: MeshAnswer, transfer: Transferable[] = []): void => self.postMessage(answered, { transfer });

function shown(read: Mesh): GlbMesh {
  // STL repeats each corner: joined, the surface is smooth and takes a sixth of the memory.
  const { positions, indices, colours } = read.indices ? read : weld(read);
  return { positions, indices: indices ?? new Uint32Array(), colours: colours && linearColours(colours) };
}

function ready(mesh: GlbMesh, isLight: boolean): ReadyMesh {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(mesh.positions, 3));
  geometry.setIndex(new BufferAttribute(mesh.indices, 1));
  // Building the tree reorders the triangles, so it comes before everything that is sent.
  const bvh = MeshBVH.serialize(new MeshBVH(geometry), { cloneBuffers: false });
  geometry.computeVertexNormals();
  const plain: Mesh = { ...mesh, colours: null };
  return {
    ...mesh,
    normals: geometry.getAttribute("normal").array as Float32Array,
    bvh,
    bounds: boundsOf(plain),
    frame: frameOf(plain),
    triangles: triangleCount(plain),
    isLight,
  };
}
