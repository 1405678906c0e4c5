import { IconLungs } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { useTexts } from "../../../kernel/texts.ts";
import { ToolPanel } from "../../frame/tool-panel.tsx";
import type { CtParts } from "../layout/pane-props.ts";
import { useRendering } from "./render-room.tsx";

const AirwayForm = lazy(async () => ({ default: (await import("./airway-form.tsx")).AirwayForm }));
const AirwayMeasured = lazy(async () => ({ default: (await import("./airway-form.tsx")).AirwayMeasured }));

export function AirwayPanel(parts: CtParts) {
  const t = useTexts("viewer");
  const { airway } = useRendering();
  return (
    <ToolPanel label={t("viewer.render.airway.title")} icon={IconLungs} isOn={airway.plan !== null}>
      <AirwayForm {...parts} />
    </ToolPanel>
  );
}

export function AirwayBeside(parts: CtParts) {
  const { airway } = useRendering();
  return (
    airway.plan && (
      <Suspense>
        <AirwayMeasured {...parts} />
      </Suspense>
    )
  );
}
