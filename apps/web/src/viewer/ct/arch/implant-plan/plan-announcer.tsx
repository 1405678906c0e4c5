import { VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useAppearance } from "../../../../browser/appearance.ts";
import { useTexts, type Translate } from "../../../../i18n/texts.ts";
import type { ToothScheme } from "@arcada/contract/kernel/tooth-schemes";
import { isUpper } from "./implant-plan.ts";
import { formatImplantName } from "./implant-name.ts";
import { listUnchecked, listWarnings } from "./plan-warnings.ts";
import type { Arch } from "../use-arch.ts";

const restMs = 700;

/** Announces the warnings of the plan once the pointer rests, for users who do not see the lines. */
export function PlanAnnouncer({ arch }: { arch: Arch }) {
  const t = useTexts("viewer", "implant");
  const { teeth } = useAppearance();
  const [announcement] = useDebouncedValue(describePlan(t, teeth, arch).join(". "), restMs);
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {announcement}
    </VisuallyHidden>
  );
}

/** Every implant with its warnings, and the checks that were not possible; for print, export and screen readers. */
export function describePlan(t: Translate, scheme: ToothScheme, arch: Arch): string[] {
  if (arch.implants.length === 0) return [];
  const rows = arch.implants.map((implant, at) => {
    const warnings = listWarnings(
      t,
      scheme,
      implant,
      arch.safetyDistances,
      arch.checkBone(implant),
      isUpper(implant, arch.up),
    );
    const announcement = warnings.length > 0 ? `⚠ ${warnings.join("; ")}` : t("viewer.arch.implant.noWarning");
    return `${formatImplantName(t, implant, at + 1)}: ${announcement}`;
  });
  return [...rows, `${t("implant.unchecked.title")}: ${listUnchecked(t, arch, arch.up).join("; ")}`];
}
