import { useCallback, useEffect, useRef, useState } from "react";
import { meshBringer, type MeshBringer } from "./mesh-bringer.ts";
import type { MeshJob, MeshTree, ReadyMesh } from "./mesh.worker.ts";
import type { ModelAddresses, SceneModel } from "./scene-model.ts";

export type MeshLoad =
  | { state: "loading"; came: number }
  | { state: "ready"; mesh: ReadyMesh; tree: MeshTree | null }
  | { state: "failed"; reason: string };

export interface Meshes {
  loads: ReadonlyMap<string, MeshLoad>;
  again: (id: string) => void;
  /** Loads the source file in place of the streaming copy. */
  bringOriginal: (id: string) => void;
}

/** Loads every model in a worker of its own; unmounting stops them. `renew` returns renewed addresses. */
export function useMeshes(
  models: readonly SceneModel[],
  renew?: (id: string) => Promise<ModelAddresses | null>,
): Meshes {
  const [loads, setLoads] = useState<ReadonlyMap<string, MeshLoad>>(new Map());
  const latest = useRef({ models, renew });
  useEffect(() => void (latest.current = { models, renew }));
  const tell = useCallback((id: string, load: MeshLoad) => setLoads((now) => new Map(now).set(id, load)), []);
  const [bringers] = useState(() => new Map<string, MeshBringer>());
  const start = useCallback(
    (id: string, isOriginal = false) => {
      const model = latest.current.models.find((other) => other.id === id);
      if (!model) return;
      const fail = (reason: string) => tell(id, { state: "failed", reason });
      const begin = ({ url, glb }: ModelAddresses, onFault: (reason: string) => void) => {
        bringers.get(id)?.stop();
        bringers.set(
          id,
          bring(
            { url, glb: isOriginal ? null : (glb?.url ?? null), kind: model.format },
            (load) => tell(id, load),
            onFault,
          ),
        );
      };
      tell(id, { state: "loading", came: 0 });
      begin(model, (reason) => {
        if (reason !== "gone" || !latest.current.renew) return fail(reason);
        latest.current.renew(id).then(
          (fresh) => (fresh ? begin(fresh, fail) : fail(reason)),
          () => fail(reason),
        );
      });
    },
    [tell, bringers],
  );

  // Addresses change with every answer; the models are the same as long as their ids are.
  const ids = models.map(({ id }) => id).join("\n");
  useEffect(() => {
    for (const id of ids.split("\n").filter(Boolean)) start(id);
    return () => {
      for (const bringer of bringers.values()) bringer.stop();
      bringers.clear();
      setLoads(new Map());
    };
  }, [ids, start, bringers]);
  return { loads, again: (id) => start(id), bringOriginal: (id) => start(id, true) };
}

function bring(job: MeshJob, tell: (load: MeshLoad) => void, onFault: (reason: string) => void): MeshBringer {
  const bringer = meshBringer(job);
  let told = 0;
  let mesh: ReadyMesh | null = null;
  bringer.hear((answer) => {
    if (!answer) return onFault("damaged");
    if ("came" in answer) {
      if (answer.came - told > 500_000) tell({ state: "loading", came: (told = answer.came) });
      return;
    }
    if ("mesh" in answer) return tell({ state: "ready", mesh: (mesh = answer.mesh), tree: null });
    bringer.stop();
    if ("fault" in answer) onFault(answer.fault);
    else if (mesh) tell({ state: "ready", mesh, tree: answer.tree });
  });
  return bringer;
}
