import { Badge } from "@mantine/core";
import { showList, showNumber, showTime } from "../../kernel/format.ts";
import { useTexts } from "../../kernel/texts.ts";
import { shapeText } from "../frame/shape-text.ts";
import { Corner } from "../frame/corner.tsx";
import type { Spot } from "@arcada/imaging/view/measure";
import type { PictureView } from "@arcada/imaging/view/picture-view";
import type { Look, Picture } from "@arcada/imaging/gl/picture";
import type { Series } from "@arcada/contract/study/study.calls";
import { LossyBadge, LossyNote } from "../marks/lossy-note.tsx";
import { MarkStatus } from "../marks/mark-status.tsx";
import type { Marks } from "../marks/use-marks.ts";
import { trueValue, trueWindow } from "@arcada/imaging/view/true-value";
import type { HandCalibration } from "./calibration.ts";
import { greyAt, type PictureFile } from "./load-picture.ts";

interface Props {
  series: Series;
  file: PictureFile | null;
  picture: Picture;
  view: PictureView | null;
  look: Look;
  pointed: Spot | null;
  marks: Marks;
  drawing: Drawing;
}

/** Shows the image's facts and their fidelity in the corners of the viewport. */
export function PictureReadout({ series, file, picture, view, look, pointed, marks, drawing }: Props) {
  const t = useTexts("viewer");
  const scaled = file ?? { valueScale: 1, valueOffset: 0 };
  const grey = pointed && greyAt(picture, pointed);
  const isInside =
    pointed && pointed[0] >= 0 && pointed[1] >= 0 && pointed[0] < picture.columns && pointed[1] < picture.rows;
  return (
    <>
      <Corner at="topLeft">
        <Badge size="sm" variant="light" color={picture.kind === "grey" ? "teal" : "gray"}>
          {t(`viewer.shown.${picture.kind}`)}
        </Badge>
        <LossyBadge series={series} />
        <span>
          {t("viewer.size2", { columns: file?.columns ?? picture.columns, rows: file?.rows ?? picture.rows })}
        </span>
        <Calibration file={file} calibration={drawing.calibration} />
      </Corner>
      <Corner at="topRight">
        {file?.presentation && <PresentationNote presentation={file.presentation} />}
        <LookNote look={look} />
        <LossyNote series={series} count={drawing.labels.length} />
        <MarkStatus marks={marks} />
      </Corner>
      <Corner at="bottomLeft">
        {isInside && <span>{t("viewer.at2", { x: Math.floor(pointed[0]), y: Math.floor(pointed[1]) })}</span>}
        {isInside && grey !== null && <span>{t("viewer.greyValue", { value: trueValue(scaled, grey) })}</span>}
      </Corner>
      <Corner at="bottomRight">
        <span>
          {shapeText(t, look.window)}
          {t("viewer.windowText", trueWindow(scaled, look.window))}
        </span>
        {view && <span>{t("viewer.zoomText", { percent: Math.round(view.zoom * 100) })}</span>}
      </Corner>
    </>
  );
}

interface Drawing {
  calibration: HandCalibration | null;
  /** One for each measurement that is shown. */
  labels: readonly unknown[];
}

/** Shows the source of the millimetre values. */
function Calibration({ file, calibration }: Pick<Props, "file"> & Pick<Drawing, "calibration">) {
  const t = useTexts("viewer");
  const spacing = calibration ? { ...calibration.spacing, source: "user" } : file?.spacing;
  if (!spacing) return <span>{t("viewer.calibration.none")}</span>;
  const said = [calibration?.by, calibration?.at && showTime(calibration.at)].filter(Boolean).join(", ");
  return (
    <>
      <span>
        {t(`viewer.calibration.${spacing.source}`, {
          row: showNumber(spacing.row, 3),
          column: showNumber(spacing.column, 3),
        })}
      </span>
      {said && <span>{said}</span>}
    </>
  );
}

/** Notes the display settings that do not change the values. */
function LookNote({ look: { gamma = 1, sharpen = 0 } }: { look: Look }) {
  const t = useTexts("viewer");
  if (gamma === 1 && sharpen === 0) return null;
  const parts = [
    sharpen > 0 && t("viewer.look.sharpened", { strength: showNumber(sharpen, 1) }),
    gamma !== 1 && t("viewer.look.gammaAt", { gamma: showNumber(gamma, 2) }),
  ];
  return (
    <Badge size="sm" variant="light" color="yellow" tt="none">
      {t("viewer.look.only", { parts: showList(parts.filter((part) => part !== false)) })}
    </Badge>
  );
}

/** Notes that an image is shown by a presentation state, and the parts of the state that are not applied. */
function PresentationNote({ presentation: { label, notApplied } }: { presentation: Presentation }) {
  const t = useTexts("viewer");
  const parts = notApplied.map((part) => t(`viewer.presentation.${part}`));
  return (
    <>
      <Badge size="sm" variant="light" color={parts.length > 0 ? "yellow" : "teal"} tt="none">
        {t("viewer.presentation.shown", { label: label || t("viewer.presentation.unnamed") })}
      </Badge>
      {parts.length > 0 && <span>{t("viewer.presentation.leftOut", { parts: showList(parts) })}</span>}
    </>
  );
}

type Presentation = NonNullable<PictureFile["presentation"]>;
