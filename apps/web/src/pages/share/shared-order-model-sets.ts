import type { SharedOrder } from "@arcada/contract/order/shared-order.calls";
import type { Translate } from "../../i18n/texts.ts";
import type { SceneModel } from "../../viewer/model/scene-model.ts";

export interface ModelSet {
  id: string;
  label: string;
  models: SceneModel[];
}

/**
 * The models that are shown together: the scans, then each revision on the scans. Visitors see the streaming copies,
 * not the source files.
 */
export function groupModels({ files, revisions }: Pick<SharedOrder, "files" | "revisions">, t: Translate): ModelSet[] {
  const findModels = (revision: string | null) =>
    files
      .filter(({ revisionId }) => revisionId === revision)
      .flatMap(({ id, name, format, glb, role }): SceneModel[] =>
        format && glb ? [{ id, name, format, glb, url: "", jaw: getJaw(role) }] : [],
      );
  const scans = findModels(null);
  const prescribed = scans.length > 0 ? [{ id: "scans", label: t("order.detail.modelsOf"), models: scans }] : [];
  return [
    ...prescribed,
    ...revisions
      .map(({ id, kind, number }) => ({ id, label: t(`order.detail.${kind}Number`, { number }), own: findModels(id) }))
      .filter(({ own }) => own.length > 0)
      .map(({ own, ...set }) => ({ ...set, models: [...own, ...scans] })),
  ];
}

const getJaw = (role: string): SceneModel["jaw"] =>
  role === "upperScan" ? "upper" : role === "lowerScan" ? "lower" : null;
