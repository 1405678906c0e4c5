import { studyCalls } from "@arcada/contract/study/study.calls";
import { type Instance, type Study, type StudyRow } from "@arcada/contract/study/study.schema";
import { isImageKind } from "@arcada/contract/study/study.rules";
import { useCall } from "../../data/use-call.ts";
import { listStudyItems } from "../study-items.ts";

/** One of two images that are compared side by side. */
export interface CompareSide {
  study: Study | null;
  images: readonly Instance[];
  image: Instance | null;
  isFailed: boolean;
  retry: () => void;
  /** Fetches the image under a renewed address. */
  renew: () => Promise<Instance["picture"]>;
}

/** The named image of a study, else its first. */
export function useCompareSide(studyId: string | undefined, itemId: string | undefined): CompareSide {
  const query = useCall(studyCalls.detail, { id: studyId ?? "" }, { enabled: studyId !== undefined });
  const study = query.data ?? null;
  const images = listImages(study);
  const image = images.find(({ id }) => id === itemId) ?? images[0] ?? null;
  return {
    study,
    images,
    image,
    isFailed: query.error !== null && study === null,
    retry: () => void query.refetch(),
    renew: async () => {
      const fresh = listImages((await query.refetch()).data ?? null);
      return fresh.find(({ id }) => id === image?.id)?.picture ?? null;
    },
  };
}

const listImages = (study: Study | null): Instance[] =>
  study
    ? listStudyItems(study).flatMap((item) => (item.kind === "picture" && item.instance.picture ? [item.instance] : []))
    : [];

/** The studies whose images can be shown side by side, the newest first. */
export const filterComparable = (studies: readonly StudyRow[]): StudyRow[] =>
  studies.filter(({ kind, state }) => isImageKind(kind) && state !== "failed").toSorted(byDate);

/**
 * The study shown beside another one if no study was chosen: the next older of its kind, else the newest of its kind,
 * else the newest of any kind.
 */
export function findDefaultComparison(
  studies: readonly StudyRow[],
  { id, kind }: Pick<StudyRow, "id" | "kind">,
): StudyRow | undefined {
  const others = filterComparable(studies).filter((other) => other.id !== id);
  const alike = others.filter((other) => other.kind === kind);
  const own = studies.find((study) => study.id === id);
  return alike.find((other) => own && dateOf(other) < dateOf(own)) ?? alike[0] ?? others[0];
}

const dateOf = ({ takenAt, createdAt }: StudyRow): string => takenAt ?? createdAt;
const byDate = (one: StudyRow, other: StudyRow): number => (dateOf(one) < dateOf(other) ? 1 : -1);
