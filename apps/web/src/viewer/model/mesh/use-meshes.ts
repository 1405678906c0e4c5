import { useCallback, useEffect, useRef, useState } from "react";
import { createMeshJob, takeMeshFetcher, type MeshFetcher } from "./mesh-fetcher.ts";
import type { LoadFault, MeshJob, MeshTree, ReadyMesh } from "./load-mesh.worker.ts";
import type { ModelAddresses, SceneModel } from "../scene-model.ts";

/**
 * `coarse`: the coarse copy, which is drawn while there is no full surface. Nothing is measured on it: only a load that
 * is ready has a surface to measure.
 */
export type MeshLoad = { coarse?: ReadyMesh | undefined } & (
  | { state: "loading"; came: number }
  /** `treeFault`: why the surface is shown but cannot be measured. */
  | { state: "ready"; mesh: ReadyMesh; tree: MeshTree | null; treeFault?: LoadFault }
  | { state: "failed"; reason: LoadFault }
);

/** The surface that is drawn: the full one, else the coarse copy. */
export const getDrawnMesh = (load: MeshLoad | undefined): ReadyMesh | undefined =>
  load?.state === "ready" ? load.mesh : load?.coarse;

/** True if only the coarse copy of some model is drawn. */
export const isCoarse = (loads: ReadonlyMap<string, MeshLoad>): boolean =>
  [...loads.values()].some((load) => load.state !== "ready" && load.coarse);

/** True while no model can be drawn, not even its coarse copy, and none has failed. */
export const isNothingDrawn = (loads: ReadonlyMap<string, MeshLoad>): boolean =>
  ![...loads.values()].some((load) => load.state !== "loading" || load.coarse);

export interface Meshes {
  loads: ReadonlyMap<string, MeshLoad>;
  retry: (id: string) => void;
  /** Loads the source file in place of the streaming copy. */
  loadSourceFile: (id: string) => void;
}

/** Loads every model in a separate worker; unmounting stops them. `renew` returns renewed addresses. */
export function useMeshes(
  models: readonly SceneModel[],
  renew?: (id: string) => Promise<ModelAddresses | null>,
): Meshes {
  const [loads, setLoads] = useState<ReadonlyMap<string, MeshLoad>>(new Map());
  const latest = useRef({ models, renew, loads });
  useEffect(() => void (latest.current = { models, renew, loads }));
  const setLoad = useCallback(
    (id: string, load: MeshLoad) => setLoads((now) => new Map(now).set(id, keepCoarse(load, now.get(id)))),
    [],
  );
  const [fetchers] = useState(() => new Map<string, MeshFetcher>());
  const start = useCallback(
    (id: string, isSourceFile = false) => {
      const model = latest.current.models.find((other) => other.id === id);
      if (!model) return;
      const isFirst = !fetchers.has(id);
      const drawn = isFirst ? undefined : latest.current.loads.get(id)?.coarse;
      const fail = (reason: LoadFault) => setLoad(id, { state: "failed", reason });
      const begin = ({ url, glb }: ModelAddresses, onFault: (reason: LoadFault) => void) => {
        fetchers.get(id)?.stop();
        fetchers.set(
          id,
          startLoading(
            createMeshJob({
              url,
              glb: isSourceFile || !glb ? null : { ...glb, coarse: isFirst ? glb.coarse : null },
              format: model.format,
            }),
            (load) => setLoad(id, load),
            onFault,
            drawn,
          ),
        );
      };
      setLoad(id, { state: "loading", came: 0 });
      begin(model, (reason) => {
        if (reason !== "gone" || !latest.current.renew) return fail(reason);
        latest.current.renew(id).then(
          (fresh) => (fresh ? begin(fresh, fail) : fail(reason)),
          () => fail(reason),
        );
      });
    },
    [setLoad, fetchers],
  );

  // Addresses change with every answer; the models are the same as long as their ids are.
  const ids = models.map(({ id }) => id).join("\n");
  useEffect(() => {
    for (const id of ids.split("\n").filter(Boolean)) start(id);
    return () => {
      for (const fetcher of fetchers.values()) fetcher.stop();
      fetchers.clear();
      setLoads(new Map());
    };
  }, [ids, start, fetchers]);
  return { loads, retry: (id) => start(id), loadSourceFile: (id) => start(id, true) };
}

/** A coarse copy is kept until the model is loaded again: then the surface so far stays drawn. */
export const keepCoarse = (load: MeshLoad, before: MeshLoad | undefined): MeshLoad =>
  load.state === "loading" && before?.state === "ready" ? load : { coarse: before?.coarse, ...load };

/**
 * Loads one surface. Once it is shown, it stays: a fault of its tree, of which a death of the worker is one (memory),
 * is reported beside it.
 * @param drawn the coarse copy of an earlier attempt, which is still drawn
 */
export function startLoading(
  job: MeshJob,
  setLoad: (load: MeshLoad) => void,
  onFault: (reason: LoadFault) => void,
  drawn?: ReadyMesh,
): MeshFetcher {
  const fetcher = takeMeshFetcher(job);
  let lastReported = 0;
  let coarse = drawn;
  let mesh: ReadyMesh | null = null;
  const keepWithoutTree = (shown: ReadyMesh, treeFault: LoadFault) =>
    setLoad({ state: "ready", mesh: shown, tree: null, treeFault });
  fetcher.subscribe((answer) => {
    if (!answer) return mesh ? keepWithoutTree(mesh, "tooLarge") : onFault("damaged");
    if ("came" in answer) {
      if (answer.came - lastReported > 500_000) setLoad({ state: "loading", came: (lastReported = answer.came) });
      return;
    }
    if ("coarse" in answer) return setLoad({ state: "loading", came: 0, coarse: (coarse = answer.coarse) });
    if ("mesh" in answer)
      return setLoad({ state: "ready", mesh: (mesh = keepBounds(answer.mesh, coarse)), tree: null });
    fetcher.stop();
    if ("fault" in answer) return mesh ? keepWithoutTree(mesh, answer.fault) : onFault(answer.fault);
    if (mesh) setLoad({ state: "ready", mesh, tree: answer.tree });
  });
  return fetcher;
}

/**
 * The camera aims at the bounds of the first surface that is drawn: those of the full one, from which a coarse copy
 * differs by up to 0.2 mm, would move it. The orientation of the patient is always that of the full surface.
 */
const keepBounds = (mesh: ReadyMesh, coarse: ReadyMesh | undefined): ReadyMesh =>
  coarse ? { ...mesh, bounds: coarse.bounds } : mesh;
