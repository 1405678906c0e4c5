import { useEffect, useRef } from "react";
import { photoViews } from "@arcada/contract/study/mount-layouts";
import type { PhotoView } from "@arcada/contract/study/mount-layouts";
import { useTexts } from "../../i18n/texts.ts";
import { PhotoViewOutline } from "./photo-view-outline.tsx";
import type { TakenPhotos } from "./use-taken-photos.ts";
import classes from "./take-photo-series.module.css";

interface StripProps {
  photos: TakenPhotos;
  current: PhotoView;
  onGo: (view: PhotoView) => void;
}

/** All views of the series in a line: photographs that were taken, and outlines of those to come. */
export function PhotoViewStrip({ photos, current, onGo }: StripProps) {
  const t = useTexts("study");
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current="step"]')?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current]);
  return (
    <ul ref={list} className={classes.strip} aria-label={t("study.photoSeries.views")}>
      {photoViews.map((view) => {
        const name = t(`study.photoSeries.view.${view}`);
        const photo = photos[view];
        return (
          <li key={view}>
            <button
              type="button"
              className={classes.thumb}
              aria-current={view === current ? "step" : undefined}
              aria-label={photo ? t("study.photoSeries.taken", { name }) : name}
              onClick={() => onGo(view)}
            >
              {photo ? <img src={photo.url} alt="" /> : <PhotoViewOutline view={view} />}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
