declare module "three/addons/libs/meshopt_simplifier.module.js" {
  export const MeshoptSimplifier: {
    supported: boolean;
    ready: Promise<void>;
    /** Returns new indices and the maximum displacement of the surface, relative to its size. */
    simplify: (
      indices: Uint32Array,
      positions: Float32Array,
      stride: number,
      targetIndices: number,
      targetError: number,
      flags?: readonly string[],
    ) => [Uint32Array, number];
    /** Returns the new number of each vertex and the number of vertices left. */
    compactMesh: (indices: Uint32Array) => [Uint32Array, number];
  };
}
