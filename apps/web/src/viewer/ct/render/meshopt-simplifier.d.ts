declare module "three/addons/libs/meshopt_simplifier.module.js" {
  export const MeshoptSimplifier: {
    supported: boolean;
    ready: Promise<void>;
    /** Answers new indices and how far the surface has moved at most, relative to its size. */
    simplify: (
      indices: Uint32Array,
      positions: Float32Array,
      stride: number,
      targetIndices: number,
      targetError: number,
      flags?: readonly string[],
    ) => [Uint32Array, number];
    /** Answers the new number of each vertex and how many are left. */
    compactMesh: (indices: Uint32Array) => [Uint32Array, number];
  };
}
