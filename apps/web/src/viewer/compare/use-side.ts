import { studyCalls, type Instance, type Study, type StudyRow } from "@arcada/contract/study/study.calls";
import { isPictureKind } from "@arcada/contract/study/study.rules";
import { useCall } from "../../kernel/use-call.ts";
import { itemsOf } from "../study-items.ts";

/** One of two images that are compared side by side. */
export interface Side {
  study: Study | null;
  pictures: readonly Instance[];
  picture: Instance | null;
  isFailed: boolean;
  again: () => void;
  /** Fetches the image under a renewed address. */
  renew: () => Promise<Instance["picture"]>;
}

/** The named image of a study, else its first. */
export function useSide(studyId: string | undefined, itemId: string | undefined): Side {
  const query = useCall(studyCalls.detail, { id: studyId ?? "" }, { enabled: studyId !== undefined });
  const study = query.data ?? null;
  const pictures = picturesOf(study);
  const picture = pictures.find(({ id }) => id === itemId) ?? pictures[0] ?? null;
  return {
    study,
    pictures,
    picture,
    isFailed: query.error !== null && study === null,
    again: () => void query.refetch(),
    renew: async () => {
      const fresh = picturesOf((await query.refetch()).data ?? null);
      return fresh.find(({ id }) => id === picture?.id)?.picture ?? null;
    },
  };
}

const picturesOf = (study: Study | null): Instance[] =>
  study
    ? itemsOf(study).flatMap((item) => (item.kind === "picture" && item.instance.picture ? [item.instance] : []))
    : [];

/** The studies whose images can be shown side by side, the newest first. */
export const comparable = (studies: readonly StudyRow[]): StudyRow[] =>
  studies.filter(({ kind, state }) => isPictureKind(kind) && state !== "failed").toSorted(byDate);

/**
 * The study shown beside another one if no study was chosen: the next older of its kind, else the newest of its kind,
 * else the newest of any.
 */
export function besideOf(
  studies: readonly StudyRow[],
  { id, kind }: Pick<StudyRow, "id" | "kind">,
): StudyRow | undefined {
  const others = comparable(studies).filter((other) => other.id !== id);
  const alike = others.filter((other) => other.kind === kind);
  const own = studies.find((study) => study.id === id);
  return alike.find((other) => own && dateOf(other) < dateOf(own)) ?? alike[0] ?? others[0];
}

const dateOf = ({ takenAt, createdAt }: StudyRow): string => takenAt ?? createdAt;
const byDate = (one: StudyRow, other: StudyRow): number => (dateOf(one) < dateOf(other) ? 1 : -1);
