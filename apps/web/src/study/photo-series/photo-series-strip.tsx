import { Group, Text } from "@mantine/core";
import { photoViews } from "@arcada/contract/study/mount-layouts";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { ScreenLink } from "../../browser/navigation.tsx";
import { formatDay } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { listPhotoSeries } from "./photo-series-sheet.tsx";
import classes from "./photo-series-strip.module.css";

/** The newest photo series on the patient's image wall, as one picture that opens the sheet. */
export function PhotoSeriesStrip({ patientId, studies }: { patientId: string; studies: readonly StudyRow[] }) {
  const t = useTexts("study");
  const all = listPhotoSeries(studies);
  const [latest] = all;
  if (!latest) return null;
  return (
    <ScreenLink screen="photoSeries" search={{ patient: patientId, day: latest.day }} className={classes.strip}>
      <Group component="span" gap={8} justify="space-between">
        <Text component="span" size="sm" fw={600}>
          {t("study.photoSeries.title")}
        </Text>
        <Text component="span" size="xs" c="dimmed">
          {formatDay(latest.day)}
          {all.length > 1 && ` · ${t("study.photoSeries.count", { count: all.length })}`}
        </Text>
      </Group>
      <span className={classes.pictures}>
        {photoViews.map((view) => {
          const url = latest.photos[view]?.thumbnailUrl;
          return (
            <span key={view} className={classes.picture}>
              {url && <img src={url} alt={t(`study.photoSeries.view.${view}`)} loading="lazy" />}
            </span>
          );
        })}
      </span>
    </ScreenLink>
  );
}
