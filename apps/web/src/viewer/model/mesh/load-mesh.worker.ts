import { readGlb, type GlbMesh } from "@arcada/imaging/mesh/read-glb";
import { convertSrgbToLinear } from "@arcada/imaging/mesh/srgb-to-linear";
import { MeshError, type MeshFault } from "@arcada/imaging/mesh/mesh-error";
import { computeBounds, countTriangles, weld, type Bounds, type Mesh } from "@arcada/imaging/mesh/mesh";
import { readMesh, type MeshFormat } from "@arcada/imaging/mesh/read-mesh";
import { computeVertexNormals } from "@arcada/imaging/mesh/vertex-normals";
import { measureScanShape, type ScanShape } from "@arcada/imaging/orientation/orientation-from-shape";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";
import type { SerializedBVH } from "three-mesh-bvh";
import { FetchError, fetchBytes } from "../../files/fetch-bytes.ts";

export interface MeshJob {
  /** The streaming copy, which is tried first. */
  glb: string | null;
  /** The coarse copy, which is shown until the other one is loaded. */
  coarse: string | null;
  url: string;
  kind: MeshFormat;
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
  isStreamingCopy: boolean;
}

/** The search structure of a surface: a tree, and the triangles in the order that the tree needs. */
export interface MeshTree {
  bvh: SerializedBVH;
  indices: Uint32Array;
}

export type LoadFault = MeshFault | FetchError["reason"];
/**
 * A surface is shown before its tree is built: for a million triangles that takes a second more. A fault after the mesh
 * is one of the tree alone: `network`, its code cannot be fetched; `tooLarge`, the memory does not suffice.
 */
export type MeshMessage =
  | { came: number }
  | { coarse: ReadyMesh }
  | { mesh: ReadyMesh }
  | { tree: MeshTree }
  | { fault: LoadFault };

self.addEventListener("message", ({ data }: MessageEvent<MeshJob>) => void handleJob(data));

/** A coarse copy that takes longer holds back the surface no more: both are then fetched at the same time. */
const coarseCopyMs = 2000;

async function handleJob(job: MeshJob): Promise<void> {
  // The code of the tree is most of the code: it is fetched beside the surface, which is shown without it.
  const code = import("./surface-tree.ts").catch(() => null);
  try {
    const mesh = await loadAfterCoarseCopy(job);
    const own = copySurface(mesh);
    post({ mesh }, listBuffers(mesh));
    const loaded = await code;
    if (loaded) postTree(own, loaded.buildMeshTree);
    else post({ fault: "network" });
  } catch (error) {
    post({ fault: error instanceof MeshError || error instanceof FetchError ? error.reason : "damaged" });
  }
}

/** Loads the surface, after its coarse copy if that comes in time: a request that is accepted may never be answered. */
async function loadAfterCoarseCopy(job: MeshJob): Promise<ReadyMesh> {
  if (job.coarse === null) return loadMesh(job);
  const stop = new AbortController();
  const { promise: waited, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, coarseCopyMs);
  try {
    await Promise.race([postCoarseCopy(job.coarse, stop.signal), waited]);
    return await loadMesh(job);
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

async function postCoarseCopy(url: string, signal: AbortSignal): Promise<void> {
  try {
    const coarse = await loadCopy(url, () => {}, signal);
    if (!signal.aborted) post({ coarse }, listBuffers(coarse));
  } catch {
    // A coarse copy that cannot be shown is not missed: the full surface follows.
  }
}

const listBuffers = ({ positions, indices, normals, colours }: ReadyMesh): ArrayBufferLike[] =>
  [positions, indices, normals, ...(colours ? [colours] : [])].map(({ buffer }) => buffer);

type Surface = Pick<ReadyMesh, "positions" | "indices">;

// A message that copies them would hold up the page, which then copies them a second time.
function copySurface({ positions, indices }: Surface): Surface | null {
  try {
    return { positions: positions.slice(), indices: indices.slice() };
  } catch {
    return null;
  }
}

function postTree(surface: Surface | null, build: (surface: Surface) => MeshTree): void {
  let tree: MeshTree | null = null;
  try {
    tree = surface && build(surface);
  } catch {
    // The surface itself could be read: what can fail here is the memory.
  }
  if (tree) post({ tree }, [tree.indices.buffer, ...tree.bvh.roots]);
  else post({ fault: "tooLarge" });
}

async function loadMesh({ glb, url, kind }: MeshJob): Promise<ReadyMesh> {
  if (glb !== null) {
    try {
      return await loadCopy(glb);
    } catch (error) {
      // A missing or damaged streaming copy is replaced by the source file; a lost connection is reported instead.
      if (error instanceof FetchError && error.reason === "network") throw error;
    }
  }
  return prepareMesh(weldMesh(readMesh(await fetchFile(url), kind)), false);
}

async function loadCopy(url: string, onProgress?: (came: number) => void, signal?: AbortSignal): Promise<ReadyMesh> {
  const bytes = await fetchFile(url, onProgress, signal);
  await MeshoptDecoder.ready;
  return prepareMesh(readGlb(bytes, MeshoptDecoder), true);
}

const fetchFile = (
  url: string,
  onProgress = (came: number) => post({ came }),
  signal: AbortSignal = new AbortController().signal,
) => fetchBytes(url, signal, onProgress);

const post = (message: MeshMessage, transfer: ArrayBufferLike[] = []): void =>
  self.postMessage(message, { transfer: transfer as Transferable[] });

// Files repeat a corner for each of its triangles: welded, the surface is smooth and closed and takes a sixth of the
// memory.
function weldMesh(read: Mesh): GlbMesh {
  const { positions, indices, colours } = weld(read);
  return { positions, indices: indices ?? new Uint32Array(), colours: colours && convertSrgbToLinear(colours) };
}

function prepareMesh(mesh: GlbMesh, isStreamingCopy: boolean): ReadyMesh {
  const plain: Mesh = { ...mesh, colours: null };
  return {
    ...mesh,
    normals: computeVertexNormals(plain),
    bounds: computeBounds(plain),
    shape: measureScanShape(plain),
    triangles: countTriangles(plain),
    isStreamingCopy,
  };
}
