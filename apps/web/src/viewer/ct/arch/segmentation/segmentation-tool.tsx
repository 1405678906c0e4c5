import { IconStack2 } from "@tabler/icons-react";
import type { Translate } from "../../../../i18n/texts.ts";
import type { ViewerTool } from "../../../ui/modes/viewer-tool.ts";
import { lazyForm } from "../../../ui/toolbar/lazy-form.tsx";
import type { CtViewerState } from "../../layout/viewport-props.ts";

const SegmentationForm = lazyForm(async () => (await import("./segmentation-form.tsx")).SegmentationForm);

/** Adds the drawn structures to the study as a DICOM segmentation. */
export const buildSegmentationTool = (t: Translate, { arch, series, annotations }: CtViewerState): ViewerTool => ({
  id: "segmentation",
  label: t("viewer.export.segmentation.label"),
  icon: IconStack2,
  panel: <SegmentationForm arch={arch} seriesId={series.id} annotations={annotations} />,
});
