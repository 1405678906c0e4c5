import { Badge } from "@mantine/core";
import { formatList, formatNumber, formatTimestamp } from "../../i18n/format.ts";
import { useTexts, translateDynamic } from "../../i18n/texts.ts";
import { formatVoiFunction } from "../ui/viewport/format-voi-function.ts";
import { ViewportCorner } from "../ui/viewport/viewport-corner.tsx";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { ImageView } from "@arcada/imaging/view/image-view";
import type { DisplaySettings, RasterImage } from "@arcada/imaging/gl/raster-image";
import type { Series } from "@arcada/contract/study/study.schema";
import { LossyBadge, LossyMeasurementNote } from "../annotations/lossy-compression-notes.tsx";
import { AnnotationSaveStatus } from "../annotations/store/annotation-save-status.tsx";
import type { AnnotationStore } from "../annotations/store/use-annotations.ts";
import { rescaleValue, rescaleWindow } from "@arcada/imaging/view/rescale-to-grey-values";
import type { UserCalibration } from "./annotations/user-calibration.ts";
import { readGreyValue, type ImageFile } from "./loading/load-image.ts";

interface Props {
  series: Series;
  file: ImageFile | null;
  image: RasterImage;
  view: ImageView | null;
  displaySettings: DisplaySettings;
  pointed: Point2D | null;
  annotations: AnnotationStore;
  drawing: MeasurementSummary;
}

/** Shows the image's facts and their fidelity in the corners of the viewport. */
export function ImageReadout({ series, file, image, view, displaySettings, pointed, annotations, drawing }: Props) {
  const t = useTexts("viewer");
  const rescale = file ?? { valueScale: 1, valueOffset: 0 };
  const grey = pointed && readGreyValue(image, pointed);
  const isInside =
    pointed && pointed[0] >= 0 && pointed[1] >= 0 && pointed[0] < image.columns && pointed[1] < image.rows;
  return (
    <>
      <ViewportCorner at="topLeft">
        <Badge size="sm" variant="light" color={image.kind === "grey" ? "teal" : "gray"}>
          {t(`viewer.shown.${image.kind}`)}
        </Badge>
        <LossyBadge series={series} />
        <span>{t("viewer.size2", { columns: file?.columns ?? image.columns, rows: file?.rows ?? image.rows })}</span>
        <CalibrationNote file={file} calibration={drawing.calibration} />
      </ViewportCorner>
      <ViewportCorner at="topRight">
        {file?.presentation && <PresentationNote presentation={file.presentation} />}
        <DisplaySettingsNote displaySettings={displaySettings} />
        <LossyMeasurementNote series={series} count={drawing.labels.length} />
        <AnnotationSaveStatus annotations={annotations} />
      </ViewportCorner>
      <ViewportCorner at="bottomLeft">
        {isInside && <span>{t("viewer.at2", { x: Math.floor(pointed[0]), y: Math.floor(pointed[1]) })}</span>}
        {isInside && grey !== null && <span>{t("viewer.greyValue", { value: rescaleValue(rescale, grey) })}</span>}
      </ViewportCorner>
      <ViewportCorner at="bottomRight">
        <span>
          {formatVoiFunction(t, displaySettings.window)}
          {t("viewer.windowText", rescaleWindow(rescale, displaySettings.window))}
        </span>
        {view && <span>{t("viewer.zoomText", { percent: Math.round(view.zoom * 100) })}</span>}
      </ViewportCorner>
    </>
  );
}

interface MeasurementSummary {
  calibration: UserCalibration | null;
  /** One for each measurement that is shown. */
  labels: readonly unknown[];
}

/** Shows the source of the millimetre values. */
function CalibrationNote({ file, calibration }: Pick<Props, "file"> & Pick<MeasurementSummary, "calibration">) {
  const t = useTexts("viewer");
  const spacing = calibration ? { ...calibration.spacing, source: "user" as const } : file?.spacing;
  if (!spacing) return <span>{t("viewer.calibration.none")}</span>;
  const origin = [calibration?.by, calibration?.at && formatTimestamp(calibration.at)].filter(Boolean).join(", ");
  return (
    <>
      <span>
        {t(`viewer.calibration.${spacing.source}`, {
          row: formatNumber(spacing.row, 3),
          column: formatNumber(spacing.column, 3),
        })}
      </span>
      {origin && <span>{origin}</span>}
    </>
  );
}

/** Notes the display settings that do not change the values. */
function DisplaySettingsNote({ displaySettings: { gamma = 1, sharpen = 0 } }: { displaySettings: DisplaySettings }) {
  const t = useTexts("viewer");
  if (gamma === 1 && sharpen === 0) return null;
  const parts = [
    sharpen > 0 && t("viewer.look.sharpened", { strength: formatNumber(sharpen, 1) }),
    gamma !== 1 && t("viewer.look.gammaAt", { gamma: formatNumber(gamma, 2) }),
  ];
  return (
    <Badge size="sm" variant="light" color="yellow" tt="none">
      {t("viewer.look.only", { parts: formatList(parts.filter((part) => part !== false)) })}
    </Badge>
  );
}

/** Notes that an image is shown by a presentation state, and the parts of the state that are not applied. */
function PresentationNote({ presentation: { label, notApplied } }: { presentation: Presentation }) {
  const t = useTexts("viewer");
  const parts = notApplied.map((part) => translateDynamic(t, `viewer.presentation.${part}`, part));
  return (
    <>
      <Badge size="sm" variant="light" color={parts.length > 0 ? "yellow" : "teal"} tt="none">
        {t("viewer.presentation.shown", { label: label || t("viewer.presentation.unnamed") })}
      </Badge>
      {parts.length > 0 && <span>{t("viewer.presentation.leftOut", { parts: formatList(parts) })}</span>}
    </>
  );
}

type Presentation = NonNullable<ImageFile["presentation"]>;
