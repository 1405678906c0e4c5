import type { Instance, Series, Study } from "@arcada/contract/study/study.schema";

/** An entry of a study's strip: a volume, an image, or all models of a series together. */
export type StudyItem =
  | { kind: "volume"; id: string; name: string; thumbnailUrl: string | null; series: Series }
  | { kind: "picture"; id: string; name: string; thumbnailUrl: string | null; series: Series; instance: Instance }
  | { kind: "models"; id: string; name: string; thumbnailUrl: string | null; series: Series };

export const listStudyItems = ({ series }: Pick<Study, "series">): StudyItem[] =>
  series.flatMap((one): StudyItem[] => {
    const name = one.description ?? one.modality ?? "";
    const thumbnailUrl =
      one.thumbnailUrl ?? one.instances.find((instance) => instance.thumbnailUrl)?.thumbnailUrl ?? null;
    if (one.kind === "volume") return [{ kind: "volume", id: one.id, name, thumbnailUrl, series: one }];
    if (one.kind === "models") return [{ kind: "models", id: one.id, name, thumbnailUrl, series: one }];
    // Presentation states change the display of images and are no images themselves.
    if (one.problems.some(({ code }) => code === "presentation")) return [];
    return one.instances.map((instance) => ({
      kind: "picture",
      id: instance.id,
      name: instance.name,
      thumbnailUrl: instance.thumbnailUrl,
      series: one,
      instance,
    }));
  });

/**
 * The item that the address names, by its own id or its series'; else the first, preferably a volume if volumes are
 * preferred.
 */
export function selectStudyItem(
  items: readonly StudyItem[],
  requestedId: string | undefined,
  preferVolume: boolean,
): StudyItem | undefined {
  const found = requestedId && items.find(({ id, series }) => id === requestedId || series.id === requestedId);
  return found || (preferVolume && items.find(({ kind }) => kind === "volume")) || items[0];
}
