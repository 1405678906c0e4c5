import { useQueries } from "@tanstack/react-query";
import { mountLayouts } from "@arcada/contract/study/mount-layouts";
import type { PhotoView } from "@arcada/contract/study/mount-layouts";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { send } from "../../data/ask.ts";
import { queryKeyOf } from "../../data/query-client.ts";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { getCalendarDay } from "../study-kinds.ts";
import { PhotoViewOutline } from "./photo-view-outline.tsx";
import classes from "./photo-series-sheet.module.css";

/** The photographs of one day by their view; of two of the same view the later. */
export interface PhotoSeries {
  day: string;
  photos: Partial<Record<PhotoView, StudyRow>>;
}

/** Returns the photo series of a patient, the newest first. */
export function listPhotoSeries(studies: readonly StudyRow[]): PhotoSeries[] {
  const taken = studies.filter(({ photoView }) => photoView !== null);
  return [...Map.groupBy(taken, getCalendarDay)]
    .toSorted(([one], [other]) => other.localeCompare(one))
    .map(([day, rows]) => ({
      day,
      photos: Object.fromEntries(
        rows
          .toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
          .map((study) => [study.photoView!, study]),
      ),
    }));
}

const { rows, columns, places } = mountLayouts.photos8;

/** A series as orthodontists lay it out: the face above, the arches in the middle, the bite below. */
export function PhotoSeriesSheet({ series, title }: { series: PhotoSeries; title: string }) {
  const t = useTexts("study");
  const pictures = usePictures(Object.values(series.photos));
  return (
    <ul
      className={classes.sheet}
      aria-label={title}
      style={{ gridTemplateColumns: `repeat(${columns}, 1fr)`, gridTemplateRows: `repeat(${rows}, auto)` }}
    >
      {places.map(({ name, row, column }) => {
        const view = name as PhotoView;
        const photo = series.photos[view];
        const label = t(`study.photoSeries.view.${view}`);
        return (
          <li key={view} className={classes.place} style={{ gridRow: row + 1, gridColumn: column + 1 }}>
            {photo ? (
              <ScreenLink screen="viewer" search={{ study: photo.id }} className={classes.link}>
                <img src={pictures.get(photo.id) ?? photo.thumbnailUrl ?? undefined} alt={label} />
              </ScreenLink>
            ) : (
              <PhotoViewOutline view={view} className={classes.missing} />
            )}
            <span className={classes.caption}>{label}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** The address of the whole picture of each study; thumbnails would be coarse on paper. */
const usePictures = (studies: readonly StudyRow[]): ReadonlyMap<string, string> =>
  useQueries({
    queries: studies.map(({ id }) => ({
      queryKey: queryKeyOf(studyCalls.detail, { id }),
      queryFn: ({ signal }: { signal: AbortSignal }) => send(studyCalls.detail, { id }, { signal }),
      meta: { shownBy: "page" as const },
    })),
    combine: (answers) =>
      new Map(
        answers.flatMap(({ data }) => {
          const url = data?.series[0]?.instances[0]?.picture?.url;
          return data && url ? [[data.id, url] as const] : [];
        }),
      ),
  });
