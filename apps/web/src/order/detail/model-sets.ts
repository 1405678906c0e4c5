import type { Order } from "@arcada/contract/order/order.calls";
import type { Translate } from "../../kernel/texts.ts";
import { isModel } from "./action-input.ts";

export interface SceneFile {
  id: string;
  name: string;
  url: string;
  format: "stl" | "ply" | "obj";
  glb: Order["files"][number]["glb"];
  jaw: "upper" | "lower" | null;
}
export interface ModelSet {
  id: string;
  label: string;
  models: SceneFile[];
}

/** The scans of the prescription alone; every other set has its revision's id. */
export const scansSet = "scans";

/** What can be looked at together: the scans alone, then each revision on the scans that it was made for. */
export function modelSets(order: Pick<Order, "files" | "revisions">, t: Translate): ModelSet[] {
  const of = (revisionId: string | null) =>
    order.files.filter((file) => file.revisionId === revisionId).flatMap((file) => sceneFile(file) ?? []);
  const scans = of(null);
  const prescribed = scans.length > 0 ? [{ id: scansSet, label: t("order.detail.modelsOf"), models: scans }] : [];
  const revisions = order.revisions
    .toSorted((a, b) => a.time.localeCompare(b.time))
    .map(({ id, kind, number }) => ({ id, label: t(`order.detail.${kind}Number`, { number }), own: of(id) }))
    .filter(({ own }) => own.length > 0)
    .map(({ own, ...set }) => ({ ...set, models: [...own, ...scans] }));
  return [...prescribed, ...revisions];
}

function sceneFile({ id, name, url, glb, role }: Order["files"][number]): SceneFile | null {
  if (!url || !isModel(name)) return null;
  const format = name.slice(-3).toLowerCase() as SceneFile["format"];
  return { id, name, url, glb, format, jaw: role === "upperScan" ? "upper" : role === "lowerScan" ? "lower" : null };
}
