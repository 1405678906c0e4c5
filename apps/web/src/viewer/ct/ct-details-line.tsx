import { Badge, Button, Progress } from "@mantine/core";
import type { Series } from "@arcada/contract/study/study.schema";
import { useTexts } from "../../i18n/texts.ts";
import { isLossy, LossyBadge, LossyMeasurementNote } from "../annotations/lossy-compression-notes.tsx";
import { AnnotationSaveStatus } from "../annotations/store/annotation-save-status.tsx";
import styles from "./ct-details.module.css";
import type { CtViewerState } from "./layout/viewport-props.ts";
import type { VolumeLoad } from "./loading/use-volume.ts";

/** One line below the viewports: how much has been loaded, and if the annotations are saved. */
export const CtDetailsLine = ({ load, series, drawing, annotations }: CtViewerState) => (
  <div className={styles.line}>
    <LoadingProgress load={load} series={series} />
    <LossyMeasurementNote series={series} count={drawing.labels.length} />
    <AnnotationSaveStatus annotations={annotations} />
  </div>
);

/**
 * Shows how much has been loaded, transferred without loss, and separately the loss with which the data were stored.
 */
function LoadingProgress({ load, series }: { load: VolumeLoad; series: Series }) {
  const t = useTexts("viewer");
  const { stage, part, fault, store, loadFull } = load;
  const isWhole = stage === "full" || stage === "half";
  return (
    <div className={styles.arrival}>
      <Badge size="sm" variant="light" color={stage === "full" ? "teal" : "yellow"}>
        {t(`viewer.stage.${stage === "full" && isLossy(series) ? "fullLossy" : stage}`)}
      </Badge>
      <LossyBadge series={series} />
      {!isWhole && !fault && (
        <Progress className={styles.bar} value={part * 100} size="sm" aria-label={t("viewer.loading.volume")} />
      )}
      {stage === "preview" && <span>{t("viewer.percent", { percent: Math.floor(part * 100) })}</span>}
      {stage === "full" && store.factor > 1 && <span>{t("viewer.coarse", { factor: store.factor })}</span>}
      {store.isHalf && (
        <span>
          {t(loadFull ? "viewer.halfHelp" : "viewer.halfOnlyHelp")}{" "}
          {loadFull && (
            <Button size="compact-xs" variant="light" onClick={loadFull}>
              {t("viewer.loadFull")}
            </Button>
          )}
        </span>
      )}
      {fault && stage !== "waiting" && (
        <span role="alert" className={styles.fault}>
          {t(`viewer.failed.${fault.reason}`)}{" "}
          <Button size="compact-xs" variant="light" onClick={fault.retry}>
            {t("viewer.again")}
          </Button>
        </span>
      )}
    </div>
  );
}
