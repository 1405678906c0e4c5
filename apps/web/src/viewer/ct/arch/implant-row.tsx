import { UnstyledButton } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { plus, times, type Vector } from "@arcada/imaging/view/vector";
import { showNumber } from "../../../kernel/format.ts";
import { useLook } from "../../../kernel/look.ts";
import { useTexts } from "../../../kernel/texts.ts";
import { isUpper, resized, sizeOf, type Implant } from "./plan.ts";
import { implantName } from "./plan-layer.tsx";
import type { PlanParts } from "./plan-panel.tsx";
import styles from "./plan-panel.module.css";
import { RowHead } from "./plan-row.tsx";
import { boneText, gapsOf, isTooNear } from "./plan-warnings.ts";
import { SizeFields } from "./size-fields.tsx";

/**
 * An implant with its distances, each of which leads to the place of the measurement, and with the result of the bone
 * check.
 */
export function ImplantRow({
  arch,
  controls,
  drawing,
  marks,
  implant,
  number,
}: PlanParts & { implant: Implant; number: number }) {
  const t = useTexts("viewer");
  const { teeth } = useLook();
  const { mark, body, toImplant } = implant;
  const isChosen = drawing.chosen === mark.id;
  const goTo = (point: Vector) => () => {
    controls.setCross(point);
    drawing.choose(mark.id);
  };
  const bone = boneText(t, arch.boneOf(implant), isUpper(implant, arch.up));
  return (
    <div className={isChosen ? styles.chosen : styles.row}>
      <RowHead
        name={implantName(t, implant, number)}
        onChoose={goTo(times(plus(body.head, body.apex), 0.5))}
        onRemove={() => marks.remove(mark.id)}
      />
      {gapsOf(implant).map((gap) => (
        <Line
          key={gap.kind}
          isWarning={isTooNear(gap, arch.gaps)}
          text={
            gap.kind === "implants" && toImplant
              ? `${gap.text(t, teeth)} · ${t("viewer.arch.implant.angle", { degrees: showNumber(toImplant.degrees, 1) })}`
              : gap.text(t, teeth)
          }
          onPress={goTo(times(plus(gap.from, gap.to), 0.5))}
        />
      ))}
      <Line isWarning={bone.isWarning} text={bone.text} onPress={goTo(body.apex)} />
      {isChosen && <SizeFields size={sizeOf(implant)} onSize={(size) => arch.alter(resized(mark, size), true)} />}
    </div>
  );
}

function Line({ text, isWarning, onPress }: { text: string; isWarning: boolean; onPress: () => void }) {
  const t = useTexts("viewer");
  return (
    <UnstyledButton className={isWarning ? styles.near : styles.line} onClick={onPress}>
      {isWarning && <IconAlertTriangle size={14} stroke={2} role="img" aria-label={t("viewer.arch.implant.warning")} />}
      <span>{text}</span>
    </UnstyledButton>
  );
}
