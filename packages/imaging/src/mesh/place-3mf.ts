import { MeshError } from "./mesh-error.ts";
import { countTriangles, type Mesh } from "./mesh.ts";

/** Three rows of the linear part, then the translation: a row vector is multiplied from the left. */
export type Transform = readonly number[];

export interface ObjectReference {
  object: string;
  /** The part in which the object is, if that is another one. */
  path: string | undefined;
  transform: Transform | null;
}

export interface ModelObject {
  type: string;
  mesh: Mesh | null;
  components: ObjectReference[];
}

export interface ThreeMfModel {
  /** mm of one unit. */
  scale: number;
  objects: Map<string, ModelObject>;
  /** The objects that are to be built. */
  items: ObjectReference[];
}

/** Full arches of laboratories have two million triangles. */
const maxTriangles = 10_000_000;
const maxReferences = 100_000;
/** Deeper than any program nests; objects may not contain themselves. */
const maxDepth = 32;

interface PlacedMesh {
  mesh: Mesh;
  transform: Transform;
}

/** Joins all objects that a model builds, each at its place, into one mesh in mm. */
export function placeObjects(path: string, modelAt: (path: string) => ThreeMfModel): Mesh {
  const root = modelAt(path);
  const scaled: Transform = [root.scale, 0, 0, 0, root.scale, 0, 0, 0, root.scale, 0, 0, 0];
  const placed: PlacedMesh[] = [];
  const budget = { triangles: maxTriangles, references: maxReferences };
  const visit = (reference: ObjectReference, from: string, parent: Transform, depth: number): void => {
    budget.references -= 1;
    if (depth > maxDepth || budget.references < 0) throw new MeshError("tooLarge");
    const at = reference.path ?? from;
    const object = modelAt(at).objects.get(reference.object);
    if (!object) throw new MeshError("badNumbers");
    if (!isSurface(object)) return;
    const transform = reference.transform ? multiply(reference.transform, parent) : parent;
    if (object.mesh) {
      budget.triangles -= countTriangles(object.mesh);
      if (budget.triangles < 0) throw new MeshError("tooLarge");
      placed.push({ mesh: object.mesh, transform });
    }
    for (const component of object.components) visit(component, at, transform, depth + 1);
  };
  for (const item of listItems(root)) visit(item, path, scaled, 0);
  return join(placed);
}

/** Supports are no part of what was designed (3MF core 4.1). */
const isSurface = ({ type }: ModelObject): boolean => type === "model" || type === "surface" || type === "solidsupport";

/** Some programs leave the list of what is to be built empty: then all objects count that are part of no other. */
function listItems({ items, objects }: ThreeMfModel): readonly ObjectReference[] {
  if (items.length > 0) return items;
  const parts = new Set([...objects.values()].flatMap(({ components }) => components.map(({ object }) => object)));
  return [...objects.keys()]
    .filter((id) => !parts.has(id))
    .map((object) => ({ object, path: undefined, transform: null }));
}

/** First `first`, then `second`. */
function multiply(first: Transform, second: Transform): Transform {
  const product: number[] = [];
  for (let row = 0; row < 4; row++)
    for (let column = 0; column < 3; column++) {
      let sum = row === 3 ? second[9 + column]! : 0;
      for (let i = 0; i < 3; i++) sum += first[3 * row + i]! * second[3 * i + column]!;
      product.push(sum);
    }
  return product;
}

const isMirrored = ([a, b, c, d, e, f, g, h, i]: Transform): boolean =>
  a! * (e! * i! - f! * h!) - b! * (d! * i! - f! * g!) + c! * (d! * h! - e! * g!) < 0;

function join(placed: readonly PlacedMesh[]): Mesh {
  const values = placed.reduce((sum, { mesh }) => sum + mesh.positions.length, 0);
  const corners = placed.reduce((sum, { mesh }) => sum + 3 * countTriangles(mesh), 0);
  const hasColours = placed.some(({ mesh }) => mesh.colours);
  const joined = {
    positions: new Float32Array(values),
    indices: new Uint32Array(corners),
    colours: hasColours ? new Uint8Array(values).fill(255) : null,
  };
  let [vertex, corner] = [0, 0];
  for (const { mesh, transform } of placed) {
    transformInto(joined.positions.subarray(3 * vertex), mesh.positions, transform);
    if (mesh.colours) joined.colours?.set(mesh.colours, 3 * vertex);
    const order = isMirrored(transform) ? [0, 2, 1] : [0, 1, 2];
    const indices = mesh.indices ?? new Uint32Array(0);
    for (let at = 0; at < indices.length; at += 3)
      for (const place of order) joined.indices[corner++] = vertex + indices[at + place]!;
    vertex += mesh.positions.length / 3;
  }
  return joined;
}

function transformInto(target: Float32Array, source: Float32Array, m: Transform): void {
  for (let at = 0; at < source.length; at += 3) {
    const [x, y, z] = [source[at]!, source[at + 1]!, source[at + 2]!];
    for (let axis = 0; axis < 3; axis++)
      target[at + axis] = x * m[axis]! + y * m[3 + axis]! + z * m[6 + axis]! + m[9 + axis]!;
  }
}
