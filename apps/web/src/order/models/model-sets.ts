import type { Order } from "@arcada/contract/order/order.calls";
import type { Translate } from "../../i18n/texts.ts";
import { isModelFile } from "../actions/action-input.ts";

export interface SceneFile {
  id: string;
  name: string;
  url: string;
  sha256: string;
  format: "stl" | "ply" | "obj" | "3mf";
  glb: Order["files"][number]["glb"];
  jaw: "upper" | "lower" | null;
}
export interface ModelSet {
  id: string;
  label: string;
  models: SceneFile[];
}

/**
 * The id of the set that contains the scans alone. A revision's set has the revision's id, a message's set that of its
 * file.
 */
export const scansSetId = "scans";

/**
 * Returns the sets of models that are shown together: the scans alone, then each revision on the scans, then each model
 * of a message alone.
 */
export function listModelSets(order: Pick<Order, "files" | "revisions">, t: Translate): ModelSet[] {
  const scans = listModels(order, null);
  const prescribed = scans.length > 0 ? [{ id: scansSetId, label: t("order.detail.modelsOf"), models: scans }] : [];
  const revisions = order.revisions
    .toSorted((a, b) => a.time.localeCompare(b.time))
    .map(({ id, kind, number }) => ({
      id,
      label: t(`order.detail.${kind}Number`, { number }),
      own: listModels(order, id),
    }))
    .filter(({ own }) => own.length > 0)
    .map(({ own, ...set }) => ({ ...set, models: [...scans, ...own] }));
  const messageModels = order.files
    .filter(({ messageId }) => messageId !== null)
    .flatMap((file) => toSceneFile(file) ?? [])
    .map((model) => ({ id: model.id, label: model.name, models: [model] }));
  return [...prescribed, ...revisions, ...messageModels];
}

/** Returns the models of a revision, or (null) those of the prescription, as far as the reader may access them. */
export const listModels = (order: Pick<Order, "files">, revision: string | null): SceneFile[] =>
  order.files
    .filter(({ revisionId, messageId }) => revisionId === revision && messageId === null)
    .flatMap((file) => toSceneFile(file) ?? []);

function toSceneFile({ id, name, url, sha256, glb, role }: Order["files"][number]): SceneFile | null {
  if (!url || !isModelFile(name)) return null;
  const format = name.split(".").at(-1)!.toLowerCase() as SceneFile["format"];
  const jaw = role === "upperScan" ? "upper" : role === "lowerScan" ? "lower" : null;
  return { id, name, url, sha256, glb, format, jaw };
}
