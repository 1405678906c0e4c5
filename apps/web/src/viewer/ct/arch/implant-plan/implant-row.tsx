import { UnstyledButton } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { toothName } from "@arcada/contract/kernel/tooth-numbers";
import { plus, times, type Vector } from "@arcada/imaging/geometry/vector";
import { useAppearance } from "../../../../browser/appearance.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import { isUpper, type Implant } from "./implant-plan.ts";
import { formatImplantName } from "./implant-name.ts";
import styles from "./plan-panel.module.css";
import { PlanRowHeader } from "./plan-row-header.tsx";
import { describeBone, describeOutsideJaw, listDistances, isTooNear } from "./plan-warnings.ts";
import { ImplantFields } from "./implant-fields.tsx";
import type { PlanParts } from "./plan-props.ts";

/**
 * An implant with its distances, each of which leads to the place of the measurement, and with the result of the bone
 * check.
 */
export function ImplantRow({
  arch,
  controls,
  drawing,
  annotations,
  implant,
  number,
}: PlanParts & { implant: Implant; number: number }) {
  const t = useTexts("viewer", "implant");
  const { teeth } = useAppearance();
  const { annotation, body } = implant;
  const isChosen = drawing.chosen === annotation.id;
  const goTo = (point: Vector) => () => {
    controls.setCrosshair(point);
    drawing.choose(annotation.id);
  };
  const bone = describeBone(t, arch.checkBone(implant), isUpper(implant, arch.up));
  const outsideJaw = describeOutsideJaw(t, implant);
  return (
    <div className={isChosen ? styles.chosen : styles.row}>
      <PlanRowHeader
        name={[implant.tooth === null ? null : toothName(implant.tooth, teeth), formatImplantName(t, implant, number)]
          .filter(Boolean)
          .join(" · ")}
        onChoose={goTo(times(plus(body.head, body.apex), 0.5))}
        onRemove={() => annotations.remove(annotation.id)}
      />
      {listDistances(implant, arch.safetyDistances).map((gap) => (
        <DistanceLine
          key={`${gap.kind} ${gap.isSuggested}`}
          isWarning={isTooNear(gap, arch.safetyDistances)}
          text={gap.text(t, teeth)}
          onPress={goTo(times(plus(gap.from, gap.to), 0.5))}
        />
      ))}
      {outsideJaw !== null && <DistanceLine isWarning text={outsideJaw} onPress={goTo(body.apex)} />}
      <DistanceLine isWarning={bone.isWarning} text={bone.text} onPress={goTo(body.apex)} />
      {isChosen && <ImplantFields arch={arch} implant={implant} />}
    </div>
  );
}

function DistanceLine({ text, isWarning, onPress }: { text: string; isWarning: boolean; onPress: () => void }) {
  const t = useTexts("viewer");
  return (
    <UnstyledButton className={isWarning ? styles.near : styles.line} onClick={onPress}>
      {isWarning && <IconAlertTriangle size={14} stroke={2} role="img" aria-label={t("viewer.arch.implant.warning")} />}
      <span>{text}</span>
    </UnstyledButton>
  );
}
