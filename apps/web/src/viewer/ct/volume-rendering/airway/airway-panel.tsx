import { IconLungs } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { useTexts } from "../../../../i18n/texts.ts";
import { ToolPanel } from "../../../ui/toolbar/tool-panel.tsx";
import type { CtViewerState } from "../../layout/viewport-props.ts";
import { useRendering } from "../rendering-context.tsx";

const MeasureAirwayForm = lazy(async () => ({
  default: (await import("./measure-airway-form.tsx")).MeasureAirwayForm,
}));
const AirwayMeasurements = lazy(async () => ({
  default: (await import("./measure-airway-form.tsx")).AirwayMeasurements,
}));

export function AirwayPanel(parts: CtViewerState) {
  const t = useTexts("viewer");
  const { airway } = useRendering();
  return (
    <ToolPanel label={t("viewer.render.airway.title")} icon={IconLungs} isOn={airway.plan !== null}>
      <MeasureAirwayForm {...parts} />
    </ToolPanel>
  );
}

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
