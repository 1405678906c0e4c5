import { Stack, Text } from "@mantine/core";
import { useTexts } from "../../../../i18n/texts.ts";
import { ImplantRow } from "./implant-row.tsx";
import styles from "./plan-panel.module.css";
import { ImplantSizeFields } from "./implant-size-fields.tsx";
import { DrawnStructures } from "./drawn-structures.tsx";
import { ParallelismRows, SafetyDistanceFields } from "./plan-limits.tsx";
import { PlanDocuments } from "./plan-report/plan-documents.tsx";
import type { CtViewerState } from "../../layout/viewport-props.ts";
import type { PlanParts } from "./plan-props.ts";

/** The panel also makes documents, for which it needs the volume itself. */
type PlanPanelParts = PlanParts & Pick<CtViewerState, "store" | "series">;

/** The plan: its implants first, then what they must keep away from, what is made of it, and the settings. */
export function PlanPanel(parts: PlanPanelParts) {
  const { arch } = parts;
  const hasImplants = arch.implants.length > 0;
  return (
    <div className={styles.columns}>
      <Stack gap="xs">
        {arch.implants.map((implant, at) => (
          <ImplantRow key={implant.annotation.id} {...parts} implant={implant} number={at + 1} />
        ))}
      </Stack>
      <Stack gap="xs">
        <ParallelismRows {...parts} />
        <DrawnStructures {...parts} />
        {hasImplants && <PlanDocuments {...parts} />}
        <PlanSettings key={String(hasImplants)} arch={arch} isOpen={!hasImplants} />
      </Stack>
    </div>
  );
}

/** The system and size of the next implant, and the limits; folded as soon as there is an implant to look at. */
function PlanSettings({ arch, isOpen }: Pick<PlanParts, "arch"> & { isOpen: boolean }) {
  const t = useTexts("viewer", "implant");
  return (
    <details open={isOpen} className={styles.settings}>
      <summary>{t("implant.settings")}</summary>
      <Stack gap="xs" mt="xs">
        <Text size="xs" fw={600}>
          {t("viewer.arch.implant.next")}
        </Text>
        <ImplantSizeFields size={arch.size} onSize={arch.setSize} />
        <SafetyDistanceFields arch={arch} />
      </Stack>
    </details>
  );
}
