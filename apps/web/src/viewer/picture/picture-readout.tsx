import { Badge } from "@mantine/core";
import { showNumber } from "../../kernel/format.ts";
import { useTexts } from "../../kernel/texts.ts";
import { Corner } from "../frame/corner.tsx";
import type { Spot } from "../geometry/measure.ts";
import type { PictureView } from "../geometry/picture-view.ts";
import type { Look, Picture } from "../gl/picture.ts";
import { MarkStatus } from "../marks/mark-status.tsx";
import type { Marks } from "../marks/use-marks.ts";
import { greyAt, type PictureFile } from "./load-picture.ts";

interface Props {
  file: PictureFile | null;
  picture: Picture;
  view: PictureView | null;
  look: Look;
  pointed: Spot | null;
  marks: Marks;
}

/** What is shown and how true it is, in the corners of the pane. */
export function PictureReadout({ file, picture, view, look, pointed, marks }: Props) {
  const t = useTexts("viewer");
  const spacing = file?.spacing;
  const grey = pointed && greyAt(picture, pointed);
  const isInside =
    pointed && pointed[0] >= 0 && pointed[1] >= 0 && pointed[0] < picture.columns && pointed[1] < picture.rows;
  return (
    <>
      <Corner at="topLeft">
        <Badge size="sm" variant="light" color={picture.kind === "grey" ? "teal" : "gray"}>
          {t(`viewer.shown.${picture.kind}`)}
        </Badge>
        <span>
          {t("viewer.size2", { columns: file?.columns ?? picture.columns, rows: file?.rows ?? picture.rows })}
        </span>
        <span>
          {spacing
            ? t(`viewer.calibration.${spacing.source}`, {
                row: showNumber(spacing.row, 3),
                column: showNumber(spacing.column, 3),
              })
            : t("viewer.calibration.none")}
        </span>
      </Corner>
      <Corner at="topRight">
        <MarkStatus marks={marks} />
      </Corner>
      <Corner at="bottomLeft">
        {isInside && <span>{t("viewer.at2", { x: Math.floor(pointed[0]), y: Math.floor(pointed[1]) })}</span>}
        {isInside && grey !== null && <span>{t("viewer.greyValue", { value: grey })}</span>}
      </Corner>
      <Corner at="bottomRight">
        <span>
          {t("viewer.windowText", { center: Math.round(look.window.center), width: Math.round(look.window.width) })}
        </span>
        {view && <span>{t("viewer.zoomText", { percent: Math.round(view.zoom * 100) })}</span>}
      </Corner>
    </>
  );
}
