import { Drawer } from "@mantine/core";
import { useTexts } from "../i18n/texts.ts";
import { FilterFields } from "./filter-fields.tsx";
import type { PatientFilter } from "./use-filtered-patients.ts";

/** The further filters on a narrow screen. */
export function FilterDrawer({ filter, onClose }: { filter: PatientFilter; onClose: () => void }) {
  const t = useTexts("patient");
  return (
    <Drawer
      opened
      onClose={onClose}
      position="bottom"
      size="auto"
      title={t("patient.filter.title")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <FilterFields filter={filter} />
    </Drawer>
  );
}
