import { VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useLook } from "../../../kernel/look.ts";
import { useTexts, type Translate } from "../../../kernel/texts.ts";
import type { ToothScheme } from "@arcada/contract/kernel/tooth";
import { isUpper } from "./plan.ts";
import { implantName } from "./plan-layer.tsx";
import { uncheckedOf, warningsOf } from "./plan-warnings.ts";
import type { Arch } from "./use-arch.ts";

const restMs = 700;

/** Announces the warnings of the plan once the pointer rests, for users who do not see the lines. */
export function PlanAnnouncer({ arch }: { arch: Arch }) {
  const t = useTexts("viewer");
  const { teeth } = useLook();
  const [said] = useDebouncedValue(planWords(t, teeth, arch).join(". "), restMs);
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {said}
    </VisuallyHidden>
  );
}

/** Every implant with its warnings, and the checks that were not possible; for print, export and screen readers. */
export function planWords(t: Translate, scheme: ToothScheme, arch: Arch): string[] {
  if (arch.implants.length === 0) return [];
  const rows = arch.implants.map((implant, at) => {
    const warnings = warningsOf(t, scheme, implant, arch.gaps, arch.boneOf(implant), isUpper(implant, arch.up));
    const said = warnings.length > 0 ? `⚠ ${warnings.join("; ")}` : t("viewer.arch.implant.noWarning");
    return `${implantName(t, implant, at + 1)}: ${said}`;
  });
  return [...rows, ...uncheckedOf(t, arch)];
}
