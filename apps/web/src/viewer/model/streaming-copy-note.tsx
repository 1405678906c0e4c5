import { formatNumber } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import type { SceneModel } from "./scene-model.ts";
import type { MeshLoad } from "./mesh/use-meshes.ts";
import type { ModelDrawing } from "./use-model-annotations.ts";

interface Props {
  models: readonly SceneModel[];
  loads: ReadonlyMap<string, MeshLoad>;
  drawing: ModelDrawing;
}

/** Notes that measurements were taken on streaming copies, and the largest error of those. */
export function StreamingCopyNote({ models, loads, drawing }: Props) {
  const t = useTexts("viewer");
  const measured = new Set(drawing.items.map(({ instanceId }) => instanceId));
  const errors = models.flatMap(({ id, glb }) => {
    const load = loads.get(id);
    return glb && measured.has(id) && load?.state === "ready" && load.mesh.isStreamingCopy ? [glb.error] : [];
  });
  if (errors.length === 0) return null;
  return <span>{t("viewer.model.onLight", { um: formatNumber(1000 * Math.max(...errors), 1) })}</span>;
}
