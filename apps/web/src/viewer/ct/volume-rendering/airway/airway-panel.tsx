import { Suspense } from "react";
import type { Translate } from "../../../../i18n/texts.ts";
import { IconAirway } from "../../../ui/modes/dental-icons.ts";
import type { ViewerTool } from "../../../ui/modes/viewer-tool.ts";
import { lazyForm } from "../../../ui/toolbar/lazy-form.tsx";
import type { CtViewerState } from "../../layout/viewport-props.ts";
import { useRendering } from "../rendering-context.tsx";

const loadForms = () => import("./measure-airway-form.tsx");
const MeasureAirwayForm = lazyForm(async () => (await loadForms()).MeasureAirwayForm);
const AirwayMeasurements = lazyForm(async () => (await loadForms()).AirwayMeasurements);

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
