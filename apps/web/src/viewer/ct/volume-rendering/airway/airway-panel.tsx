import { lazy, Suspense } from "react";
import type { Translate } from "../../../../i18n/texts.ts";
import { IconAirway } from "../../../ui/modes/dental-icons.ts";
import type { ViewerTool } from "../../../ui/modes/viewer-tool.ts";
import type { CtViewerState } from "../../layout/viewport-props.ts";
import { useRendering } from "../rendering-context.tsx";

const MeasureAirwayForm = lazy(async () => ({
  default: (await import("./measure-airway-form.tsx")).MeasureAirwayForm,
}));
const AirwayMeasurements = lazy(async () => ({
  default: (await import("./measure-airway-form.tsx")).AirwayMeasurements,
}));

export const buildAirwayTool = (t: Translate, parts: CtViewerState, isMeasured: boolean): ViewerTool => ({
  id: "airway",
  label: t("viewer.render.airway.title"),
  icon: IconAirway,
  isOn: isMeasured,
  panel: <MeasureAirwayForm {...parts} />,
});

export function AirwayDetails(parts: CtViewerState) {
  const { airway } = useRendering();
  return (
    airway.plan && (
      <Suspense>
        <AirwayMeasurements {...parts} />
      </Suspense>
    )
  );
}
