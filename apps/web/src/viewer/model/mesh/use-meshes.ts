import { useCallback, useEffect, useRef, useState } from "react";
import { takeMeshFetcher, type MeshFetcher } from "./mesh-fetcher.ts";
import type { LoadFault, MeshJob, MeshTree, ReadyMesh } from "./load-mesh.worker.ts";
import type { ModelAddresses, SceneModel } from "../scene-model.ts";

export type MeshLoad =
  | { state: "loading"; came: number }
  /** `treeFault`: why the surface is shown but cannot be measured. */
  | { state: "ready"; mesh: ReadyMesh; tree: MeshTree | null; treeFault?: LoadFault }
  | { state: "failed"; reason: LoadFault };

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
  const latest = useRef({ models, renew });
  useEffect(() => void (latest.current = { models, renew }));
  const setLoad = useCallback((id: string, load: MeshLoad) => setLoads((now) => new Map(now).set(id, load)), []);
  const [fetchers] = useState(() => new Map<string, MeshFetcher>());
  const start = useCallback(
    (id: string, isSourceFile = false) => {
      const model = latest.current.models.find((other) => other.id === id);
      if (!model) return;
      const fail = (reason: LoadFault) => setLoad(id, { state: "failed", reason });
      const begin = ({ url, glb }: ModelAddresses, onFault: (reason: LoadFault) => void) => {
        fetchers.get(id)?.stop();
        fetchers.set(
          id,
          startLoading(
            { url, glb: isSourceFile ? null : (glb?.url ?? null), kind: model.format },
            (load) => setLoad(id, load),
            onFault,
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

/**
 * Loads one surface. Once it is shown, it stays: a fault of its tree, of which a death of the worker is one (memory),
 * is reported beside it.
 */
export function startLoading(
  job: MeshJob,
  setLoad: (load: MeshLoad) => void,
  onFault: (reason: LoadFault) => void,
): MeshFetcher {
  const fetcher = takeMeshFetcher(job);
  let lastReported = 0;
  let mesh: ReadyMesh | null = null;
  const keepWithoutTree = (shown: ReadyMesh, treeFault: LoadFault) =>
    setLoad({ state: "ready", mesh: shown, tree: null, treeFault });
  fetcher.subscribe((answer) => {
    if (!answer) return mesh ? keepWithoutTree(mesh, "tooLarge") : onFault("damaged");
    if ("came" in answer) {
      if (answer.came - lastReported > 500_000) setLoad({ state: "loading", came: (lastReported = answer.came) });
      return;
    }
    if ("mesh" in answer) return setLoad({ state: "ready", mesh: (mesh = answer.mesh), tree: null });
    fetcher.stop();
    if ("fault" in answer) return mesh ? keepWithoutTree(mesh, answer.fault) : onFault(answer.fault);
    if (mesh) setLoad({ state: "ready", mesh, tree: answer.tree });
  });
  return fetcher;
}
