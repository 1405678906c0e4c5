import { Button } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconFilter } from "@tabler/icons-react";
import { Suspense, lazy } from "react";
import { useTexts } from "../i18n/texts.ts";
import { foldedFields } from "./use-filtered-patients.ts";
import type { PatientFilter } from "./use-filtered-patients.ts";

// The list is shown before anybody opens its filters.
const FilterFields = lazy(async () => ({ default: (await import("./filter-fields.tsx")).FilterFields }));
const FilterDrawer = lazy(async () => ({ default: (await import("./filter-fields.tsx")).FilterDrawer }));

/** The filters besides search text and sex: below the bar, or in a drawer on narrow screens. */
export function MoreFilters({ filter }: { filter: PatientFilter }) {
  const t = useTexts("patient");
  const activeCount = foldedFields.filter((field) => filter[field] !== undefined).length;
  const isNarrow = useMediaQuery("(max-width: 47.99em)", window.innerWidth < 768, { getInitialValueInEffect: false });
  const [isOpen, open] = useDisclosure(activeCount > 0 && !isNarrow);
  return (
    <>
      <Button
        variant={activeCount > 0 ? "light" : "default"}
        leftSection={<IconFilter size={17} stroke={1.7} aria-hidden />}
        aria-expanded={isOpen}
        onClick={open.toggle}
      >
        {activeCount > 0 ? t("patient.filter.on", { count: activeCount }) : t("patient.filter.title")}
      </Button>
      {isOpen && (
        <Suspense>
          {isNarrow ? <FilterDrawer filter={filter} onClose={open.close} /> : <FilterFields filter={filter} />}
        </Suspense>
      )}
    </>
  );
}
