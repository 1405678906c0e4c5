import { Button, Group, Text, UnstyledButton } from "@mantine/core";
import type { Annotation } from "@arcada/contract/study/annotation";
import { formatNumber } from "../../../../../i18n/format.ts";
import { useTexts } from "../../../../../i18n/texts.ts";
import type { Canal } from "../implant-plan.ts";
import styles from "../plan-panel.module.css";
import type { PlanParts } from "../plan-props.ts";

/** Lists the suggestions that nobody has confirmed: each canal with its decision, the teeth as a number, the jaws. */
export function SuggestedRows(parts: PlanParts) {
  const t = useTexts("implant");
  const { suggestedCanals, suggestedTeeth, suggestedJaws, hideSuggestion } = parts.arch;
  if (suggestedCanals.length + suggestedTeeth.length + suggestedJaws.length === 0) return null;
  return (
    <div role="group" aria-label={t("implant.suggested.title")}>
      <Text size="xs" fw={600}>
        {t("implant.suggested.title")}
      </Text>
      {suggestedCanals.map((canal) => (
        <SuggestedCanalRow key={canal.annotation.id} {...parts} canal={canal} />
      ))}
      {suggestedTeeth.length > 0 && (
        <Group gap="xs" justify="space-between" wrap="nowrap" className={styles.row}>
          <span>{t("implant.suggested.teeth", { count: suggestedTeeth.length })}</span>
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            onClick={() => suggestedTeeth.forEach(({ annotation }) => hideSuggestion(annotation.id))}
          >
            {t("implant.suggested.hide")}
          </Button>
        </Group>
      )}
      {suggestedJaws.map(({ id, jaw }) => (
        <Group key={id} gap="xs" justify="space-between" wrap="nowrap" className={styles.row}>
          <span>{t(`implant.suggested.jaw.${jaw}`)}</span>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => hideSuggestion(id)}>
            {t("implant.suggested.hide")}
          </Button>
        </Group>
      ))}
    </div>
  );
}

/** Accepting makes the canal an ordinary annotation of the person who accepts it; correcting also selects it. */
function SuggestedCanalRow({
  arch,
  controls,
  drawing,
  annotations,
  canal: { annotation, side, points, tube },
}: PlanParts & { canal: Canal }) {
  const t = useTexts("implant");
  const middle = points[Math.floor(points.length / 2)];
  const show = () => middle && controls.setCrosshair(middle);
  return (
    <div className={styles.row}>
      <UnstyledButton className={styles.name} onClick={show}>
        {t(`implant.suggested.${side}`)}
      </UnstyledButton>
      <span>{t("implant.suggested.size", { length: formatNumber(tube.line.length, 1) })}</span>
      <Group gap="xs">
        <Button size="compact-xs" variant="light" onClick={() => annotations.put(withoutId(annotation))}>
          {t("implant.suggested.accept")}
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            show();
            drawing.choose(annotations.put(withoutId(annotation)));
          }}
        >
          {t("implant.suggested.correct")}
        </Button>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => arch.hideSuggestion(annotation.id)}>
          {t("implant.suggested.hide")}
        </Button>
      </Group>
    </div>
  );
}

const withoutId = ({ id: _, ...annotation }: Annotation): Omit<Annotation, "id"> => annotation;
