import type { Order } from "@arcada/contract/order/order.calls";
import type { Translate } from "../../i18n/texts.ts";
import { listModels, scansSetId } from "./model-sets.ts";
import type { SceneFile } from "./model-sets.ts";
import { revisionName } from "../detail/revision-status.ts";

type OrderFile = Order["files"][number];

/** One side of a comparison: a revision, or the scans of the prescription. */
export interface CompareSide {
  id: string;
  label: string;
  models: SceneFile[];
  /** Images and PDFs. */
  documents: OrderFile[];
}
export interface ComparePair {
  left: string;
  right: string;
}

export const isPdf = ({ name }: Pick<OrderFile, "name">): boolean => /\.pdf$/i.test(name);
const isDocument = (file: OrderFile): boolean => file.pictureUrl !== null || (file.url !== null && isPdf(file));

/** Returns the scans first, then the revisions in chronological order. Entries without viewable files are left out. */
export function compareSides(order: Pick<Order, "files" | "revisions">, t: Translate): CompareSide[] {
  const side = (revision: string | null) => ({
    models: listModels(order, revision),
    documents: order.files.filter(
      (file) => file.revisionId === revision && file.messageId === null && file.studyId === null && isDocument(file),
    ),
  });
  const revisions = order.revisions
    .toSorted((a, b) => a.time.localeCompare(b.time))
    .map((revision) => ({
      id: revision.id,
      label: `${revisionName(t, revision)} · ${t(`order.revisionState.${revision.state}`)}`,
      ...side(revision.id),
    }));
  return [{ id: scansSetId, label: t("order.detail.modelsOf"), ...side(null) }, ...revisions].filter(
    ({ models, documents }) => models.length + documents.length > 0,
  );
}

/** Returns the newest revision and the one before it of its kind, else the first side. */
export function getInitialPair(order: Pick<Order, "revisions">, sides: readonly CompareSide[]): ComparePair | null {
  const right = sides.at(-1);
  const before = sides.slice(0, -1);
  if (!right || before.length === 0) return null;
  const kindOf = (id: string) => order.revisions.find((revision) => revision.id === id)?.kind;
  const left = before.findLast(({ id }) => kindOf(id) === kindOf(right.id)) ?? before[0];
  return left ? { left: left.id, right: right.id } : null;
}

/** Returns the pair of corresponding models: same name, else same jaw, else the first. The right one is coloured. */
export function matchModels(left: CompareSide, right: CompareSide): { a: string; b: string } | null {
  for (const a of right.models) {
    const same = left.models.find(({ name }) => name === a.name) ?? left.models.find(({ jaw }) => jaw && jaw === a.jaw);
    if (same) return { a: a.id, b: same.id };
  }
  const [a, b] = [right.models[0], left.models[0]];
  return a && b ? { a: a.id, b: b.id } : null;
}
