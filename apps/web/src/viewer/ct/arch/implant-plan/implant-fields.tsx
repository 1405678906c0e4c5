import { lowerTeeth, upperTeeth, toothName } from "@arcada/contract/kernel/tooth-numbers";
import { Select } from "@mantine/core";
import { useAppearance } from "../../../../browser/appearance.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import { AbutmentFields } from "./attachments/abutment-fields.tsx";
import { CrownAxisFields } from "./attachments/crown-axis-fields.tsx";
import { SleeveFields } from "./attachments/sleeve-fields.tsx";
import { useImplantSystems } from "../../../../session/use-implant-systems.ts";
import { findSystem, genericAngles, genericSleeve } from "./attachments/generic-parts.ts";
import { getImplantSize, isUpper, resizeImplant, type Implant } from "./implant-plan.ts";
import { ImplantSizeFields } from "./implant-size-fields.tsx";
import type { PlanParts } from "./plan-props.ts";

/** Everything about the selected implant: tooth, system and size, abutment, sleeve and the crown's axis. */
export function ImplantFields({ arch, implant }: Pick<PlanParts, "arch"> & { implant: Implant }) {
  const t = useTexts("implant");
  const { teeth } = useAppearance();
  const { annotation, tooth } = implant;
  const system = findSystem(useImplantSystems(), implant.system)?.system;
  const own = isUpper(implant, arch.up) ? upperTeeth : lowerTeeth;
  const shared = { arch, implant };
  return (
    <>
      <Select
        size="xs"
        searchable
        clearable
        comboboxProps={{ withinPortal: false }}
        label={t("implant.tooth")}
        value={tooth === null ? null : String(tooth)}
        onChange={(value) => arch.alter({ ...annotation, text: value }, true)}
        data={[...new Set([...own, ...upperTeeth, ...lowerTeeth])].map((fdi) => ({
          value: String(fdi),
          label: toothName(fdi, teeth),
        }))}
      />
      <ImplantSizeFields
        size={getImplantSize(implant)}
        onSize={(size) => arch.alter(resizeImplant(annotation, size), true)}
      />
      <AbutmentFields {...shared} angles={system?.abutmentAngles.length ? system.abutmentAngles : genericAngles} />
      <SleeveFields {...shared} sleeves={system?.sleeves.length ? system.sleeves : [genericSleeve]} />
      <CrownAxisFields {...shared} />
    </>
  );
}
